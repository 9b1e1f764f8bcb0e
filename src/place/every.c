/* The placement of FastTrack: a check before every access, unless nobody could race with it.
 *
 * Covering and legitimacy are immediate: the check is of the same kind as the access, and nothing,
 * so no acquire and no release, comes between the two.
 */
#include "ir/access.h"
#include "place/place.h"

#include <assert.h>

/* Every exemption is a reason; the converse need not hold. */
static enum place_reason reason_of(enum ir_exempt exempt) {
    static enum place_reason const reasons[IR_EXEMPTS] = {
#define X(name, text, why) [IR_EXEMPT_##name] = PLACE_##name,
#include "ir/exempt.def"
#undef X
    };
    assert(exempt != IR_CHECKABLE);
    return reasons[exempt];
}

void dh_place_every(struct ir_accesses const *accesses, struct placement *placement,
                    struct place_stats *stats) {
    placement->count = 0;
    for (size_t i = 0; i < accesses->count; i++) {
        struct ir_access const *a = &accesses->list[i];
        if (a->exempt == IR_CHECKABLE) {
            dh_placement_add(placement, a);
            stats->kept++;
        } else {
            stats->dropped[reason_of(a->exempt)]++;
        }
    }
    stats->accesses += accesses->count;
    stats->functions++;
}
