/* Counters, one line each in stats.def, kept a thread and added up at exit (print_stats=1). */
#ifndef DEADHEAT_RT_STATS_H
#define DEADHEAT_RT_STATS_H

#include "rt/state.h"

enum dh_stat {
#define DH_STAT(name, help) DH_STAT_##name,
#include "rt/stats.def"
#undef DH_STAT
    DH_STATS
};
_Static_assert(DH_STATS <= sizeof((struct dh_thread *)0)->stats / sizeof(uint64_t),
               "a thread has room for all");

#define DH_COUNT(thread, name) ((thread)->stats[DH_STAT_##name]++)

void dh_stats_print(void);

#endif
