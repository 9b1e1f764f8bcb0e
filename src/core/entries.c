#include "core/entries.h"

/* READSAMEEPOCH, WRITESAMEEPOCH: this very access is on record. Whoever raced with it since has
 * found it there, because nobody can be ordered after an epoch that its thread has not released
 * yet. */
static bool on_record(struct dh_entry const *list, uint32_t count, struct dh_access const *a) {
    for (uint32_t i = 0; i < count; i++)
        if (dh_epoch_equal(list[i].epoch, a->epoch) && list[i].kind == a->kind
            && (a->mask & ~list[i].mask) == 0)
            return true;
    return false;
}

/* dh_subsumes, as a set of kinds for each: those that it subsumes, a bit a kind. */
static unsigned char const subsumed[DH_KINDS] = {
    [DH_READ] = 1u << DH_READ | 1u << DH_ATOMIC_READ,
    [DH_WRITE] = 1u << DH_READ | 1u << DH_WRITE | 1u << DH_ATOMIC_READ | 1u << DH_ATOMIC_WRITE,
    [DH_ATOMIC_READ] = 1u << DH_ATOMIC_READ,
    [DH_ATOMIC_WRITE] = 1u << DH_ATOMIC_READ | 1u << DH_ATOMIC_WRITE,
};

/* Rare, and not to take registers from the loop that it is called in. */
static __attribute__((cold, noinline)) void race(struct dh_verdict *verdict, unsigned bytes,
                                                 struct dh_entry const *with) {
    dh_verdict_race(verdict, bytes, with->epoch, with->kind);
}

uint32_t dh_entries_step(struct dh_entry *list, uint32_t count, struct dh_access access,
                         struct dh_view const *view, struct dh_verdict *verdict) {
    dh_verdict_begin(verdict);
    if (on_record(list, count, &access)) return count;

    struct dh_entry mine = {access.epoch, access.id, access.mask, access.kind};
    unsigned const conflicting = dh_conflicts(access.kind), weaker = subsumed[access.kind];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct dh_entry *old = &list[i];
        uint8_t shared = old->mask & access.mask;
        if (dh_epoch_equal(old->epoch, access.epoch)) {
            /* Ours. Of the same kind, it becomes part of the new entry. Of another, it stays: it is
             * no weaker than nothing, and the inlined test of that kind goes on being true. */
            if (old->kind == access.kind) {
                mine.mask |= old->mask;
                continue;
            }
        } else if (shared != 0) {
            bool ordered = dh_epoch_before(old->epoch, view);
            bool races = !ordered && (conflicting >> old->kind & 1);
            if (races) race(verdict, shared, old);
            /* A byte that raced is reported; what is kept of it afterwards cannot change that. */
            if ((ordered || races) && (weaker >> old->kind & 1)) {
                old->mask &= (uint8_t)~shared;
                if (old->mask == 0) continue;
            }
        }
        if (kept != i) list[kept] = *old;
        kept++;
    }
    list[kept++] = mine;
    verdict->changed = true;
    return kept;
}

uint8_t dh_entries_alike(struct dh_entry const *list, uint32_t count) {
    uint8_t bytes = count == 0 ? 0 : list[0].mask;
    for (uint32_t i = 0; i < count; i++)
        if (list[i].kind < DH_ATOMIC_READ || list[i].mask != bytes) return 0;
    return bytes;
}
