#include "rt/stats.h"
#include "rt/audit.h"
#include "rt/epochs.h"
#include "rt/history.h"

void dh_stats_print(void) {
    static char const *const names[DH_STATS] = {
#define DH_STAT(name, help) #name,
#include "rt/stats.def"
#undef DH_STAT
    };
    uint64_t total[DH_STATS] = {0};
    uint64_t threads = 0;
    for (struct dh_thread *t = dh_all_threads(); t; t = t->next, threads++) {
        for (int i = 0; i < DH_STATS; i++)
            total[i] += t->stats[i];
        total[DH_STAT_events] += dh_history_uncounted(t);
    }
    dh_message("statistics");
    dh_message("  %-16s %lu", "threads", threads);
    dh_message("  %-16s %lu", "collections", dh_collections);
    uint64_t accesses = total[DH_STAT_accesses], checks = total[DH_STAT_checks];
    for (int i = 0; i < DH_STATS; i++)
        if (dh_audited() || (i != DH_STAT_accesses && i != DH_STAT_checks))
            dh_message("  %-16s %lu", names[i], total[i]);
    if (accesses > 0)
        dh_message("  %-16s %lu.%03lu", "check_ratio", checks / accesses,
                   1000 * (checks % accesses) / accesses);
}
