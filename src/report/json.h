/* A race for a program to read: one object on one line, with the newline.
 *
 * The schema is "deadheat-race/1". Names are never removed or given another meaning within a
 * version; new ones may come. What is not known is null. Addresses, offsets in modules and the
 * fingerprint are strings in hexadecimal, since they may not fit the numbers of a JSON reader.
 */
#ifndef DEADHEAT_REPORT_JSON_H
#define DEADHEAT_REPORT_JSON_H

#include "report/race.h"

void dh_race_json(struct dh_race const *race, dh_sink *sink, void *to);

#endif
