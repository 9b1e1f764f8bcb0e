/* The placement of FastTrack: a check before every access, unless nobody could race with it.
 *
 * Covering and legitimacy are immediate: the check is of the same kind as the access, and nothing,
 * so no acquire and no release, comes between the two.
 */
#include "ir/access.h"
#include "place/place.h"

void dh_place_every(struct ir_accesses const *accesses, struct placement *placement,
                    struct place_summaries *summaries) {
    (void)summaries;
    dh_placement_begin(placement, accesses);
    for (size_t i = 0; i < accesses->count; i++) {
        struct ir_access const *a = &accesses->list[i];
        if (a->exempt == IR_CHECKABLE)
            dh_placement_add(placement, accesses, (struct place_check){.access = a});
    }
}
