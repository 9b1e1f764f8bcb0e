#include "rt/spares.h"

void *dh_spare_take(struct dh_spares *spares, bool (*suits)(void const *, uint64_t),
                    uint64_t with) {
    dh_mutex_lock(&spares->lock);
    void *found = 0;
    if (spares->count != 0) {
        uint32_t at = spares->count - 1;
        for (uint32_t i = spares->count; suits && i-- > 0;) {
            if (!suits(spares->list[i], with)) continue;
            at = i;
            break;
        }
        found = spares->list[at];
        spares->list[at] = spares->list[--spares->count];
    }
    dh_mutex_unlock(&spares->lock);
    return found;
}

void dh_spare_put(struct dh_spares *spares, void *p, size_t size) {
    if (!p) return;
    dh_mutex_lock(&spares->lock);
    bool kept = spares->count < DH_SPARES;
    if (kept) spares->list[spares->count++] = p;
    dh_mutex_unlock(&spares->lock);
    if (!kept) dh_free(p, size);
}

void dh_spares_free(struct dh_spares *spares, size_t size) {
    while (spares->count != 0)
        dh_free(spares->list[--spares->count], size);
}
