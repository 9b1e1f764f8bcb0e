/* A race for a person to read. The words and the order are ThreadSanitizer's where it says the
 * same. */
#ifndef DEADHEAT_REPORT_TEXT_H
#define DEADHEAT_REPORT_TEXT_H

#include "report/race.h"

enum dh_text_style { DH_TEXT_PLAIN = 0, DH_TEXT_COLOR = 1 };

void dh_race_text(struct dh_race const *race, enum dh_text_style style, dh_sink *sink, void *to);

#endif
