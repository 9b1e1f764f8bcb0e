/* From a race in numbers to a race in words: threads, stacks with source lines, locks, the memory.
 */
#ifndef DEADHEAT_RT_DESCRIBE_H
#define DEADHEAT_RT_DESCRIBE_H

#include "report/race.h"
#include "rt/modules.h"
#include "rt/report.h"

/* Fills in all of `race` but number and fingerprint; strings and arrays are in the arena. The
 * caller holds the report lock. */
void dh_describe_race(struct dh_raw_race const *raw, struct dh_arena *arena, struct dh_race *race);

/* Takes option strip_path_prefix off all file names, once nobody needs them whole. */
void dh_describe_strip(struct dh_race *race, char const *prefix);

#endif
