#include "rt/last.h"

bool dh_last_set(struct dh_record *r, struct dh_thread *self, void const *p) {
    uint64_t last = __atomic_load_n(&r->last, __ATOMIC_RELAXED);
    if (last != 0 && !dh_last_is_of(last, p)) return false;
    __atomic_exchange_n(&r->last, 0, __ATOMIC_ACQ_REL);
    if (r->sync) {
        unsigned byte = 1u << (uintptr_t)p % DH_CELL_BYTES;
        dh_heads_end(&r->sync->releases, byte, DH_NO_THREAD);
        dh_heads_end(&r->sync->readers, byte, DH_NO_THREAD); /* the writer acquired them */
    }
    dh_vc_assign(&r->last_vc, self->vc);
    __atomic_store_n(&r->last, dh_last_kind(p, self->slot) | self->tick, __ATOMIC_RELEASE);
    dh_thread_released(self);
    return true;
}

void dh_last_read(struct dh_record *r, void const *p) {
    uint64_t last = __atomic_load_n(&r->last, __ATOMIC_RELAXED);
    if (last != 0) {
        if (dh_last_is_of(last, p) && !(last & DH_LAST_READERS))
            __atomic_fetch_or(&r->last, DH_LAST_READERS, __ATOMIC_RELEASE);
        return;
    }
    struct dh_heads const *heads = &r->sync->releases;
    for (uint32_t i = 0; i < heads->count; i++)
        if (heads->list[i].bytes >> (uintptr_t)p % DH_CELL_BYTES & 1) return;
    __atomic_store_n(&r->last, dh_last_kind(p, 0) | DH_LAST_READERS, __ATOMIC_RELEASE);
}

void dh_last_spill(struct dh_record *r) {
    uint64_t last = __atomic_exchange_n(&r->last, 0, __ATOMIC_ACQ_REL);
    struct dh_epoch at = dh_last_epoch(last);
    if (at.tick == 0) return;
    dh_heads_add(&dh_record_sync(r)->releases,
                 (struct dh_snapshot){
                     .vc = r->last_vc,
                     .at = at,
                     .thread = dh_thread_at(at)->number,
                     .bytes = dh_last_bytes(last),
                 });
    r->last_vc = 0;
}

void dh_last_end(struct dh_record *r) {
    __atomic_exchange_n(&r->last, 0, __ATOMIC_ACQ_REL);
    dh_vc_unref(r->last_vc);
    r->last_vc = 0;
}
