/* A name for a race that survives rebuilding, another run, and being found from the other side. */
#ifndef DEADHEAT_REPORT_FINGERPRINT_H
#define DEADHEAT_REPORT_FINGERPRINT_H

#include <stdint.h>

struct dh_race;

/* Of the kinds of the two accesses, the innermost function of each with the line relative to its
 * start, what the source calls the memory, and the variable; never of addresses. Where there are no
 * symbols, of the module's file name and the offset in it. The order of the sides does not matter.
 * Never 0. */
uint64_t dh_race_fingerprint(struct dh_race const *race);

#endif
