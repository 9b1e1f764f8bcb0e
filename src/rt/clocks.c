#include "rt/clocks.h"

enum { SMALL = DH_VC_SMALL, SPARES = 32 };

/* Small clocks that the running thread has let go of: what it releases and learns takes some and
 * lets go of others all the time, and should not have to ask the common heap. Inside critical
 * sections. */
struct spare {
    struct spare *next;
};
static _Thread_local struct {
    struct spare *first;
    uint32_t count;
} spares __attribute__((tls_model("initial-exec")));

static size_t vc_bytes(uint32_t size) { return sizeof(struct dh_vc) + size * sizeof(dh_tick); }

_Static_assert(sizeof(struct dh_vc) + SMALL * sizeof(dh_tick) == 64, "a line");

static struct dh_vc *spare_take(void) {
    struct spare *s = spares.first;
    spares.first = s->next;
    spares.count--;
    return (struct dh_vc *)s;
}

/* With so many slots, or a few more. The first `to_come` ticks are the caller's to fill in. */
static struct dh_vc *vc_new(uint32_t size, uint32_t to_come) {
    if (size < SMALL) size = SMALL;
    bool again = size == SMALL && spares.first;
    struct dh_vc *vc = again ? spare_take() : dh_alloc(vc_bytes(size));
    for (uint32_t s = to_come; again && s < SMALL; s++)
        vc->ticks[s] = 0;
    vc->refs = 1;
    vc->size = size;
    return vc;
}

static void vc_free(struct dh_vc *vc) {
    if (vc->size != SMALL || spares.count == SPARES) {
        dh_free(vc, vc_bytes(vc->size));
        return;
    }
    struct spare *s = (struct spare *)vc;
    s->next = spares.first;
    spares.first = s;
    spares.count++;
}

void dh_vc_spares_free(void) {
    while (spares.first)
        dh_free(spare_take(), vc_bytes(SMALL));
}

struct dh_vc *dh_vc_ref(struct dh_vc *vc) {
    if (vc) __atomic_fetch_add(&vc->refs, 1, __ATOMIC_RELAXED);
    return vc;
}

void dh_vc_unref(struct dh_vc *vc) {
    if (vc && __atomic_fetch_sub(&vc->refs, 1, __ATOMIC_ACQ_REL) == 1) vc_free(vc);
}

struct dh_vc *dh_vc_own(struct dh_vc *vc, uint32_t size) {
    uint32_t had = vc ? vc->size : 0;
    if (vc && had >= size && __atomic_load_n(&vc->refs, __ATOMIC_ACQUIRE) == 1) return vc;
    struct dh_vc *own = vc_new(size > had ? size : had, had);
    for (uint32_t s = 0; s < had; s++)
        own->ticks[s] = vc->ticks[s];
    dh_vc_unref(vc);
    return own;
}

__attribute__((preserve_most)) void dh_vc_assign_slow(struct dh_vc **to, struct dh_vc *from) {
    if (*to == from) return;
    if (!from || from->size > SMALL) {
        dh_vc_unref(*to);
        *to = dh_vc_ref(from);
        return;
    }
    if (!*to || (*to)->size < from->size || __atomic_load_n(&(*to)->refs, __ATOMIC_ACQUIRE) != 1) {
        dh_vc_unref(*to);
        *to = vc_new(SMALL, SMALL);
    }
    struct dh_vc *copy = *to;
    for (uint32_t s = 0; s < from->size; s++)
        copy->ticks[s] = from->ticks[s];
    for (uint32_t s = from->size; s < copy->size; s++)
        copy->ticks[s] = 0;
}

bool dh_vc_join(struct dh_vc **vc, struct dh_vc const *from) {
    if (!from || from == *vc) return false;
    if (*vc && (*vc)->size >= from->size && __atomic_load_n(&(*vc)->refs, __ATOMIC_ACQUIRE) == 1)
        return dh_ticks_join((*vc)->ticks, from->ticks, from->size);
    uint32_t common = *vc && (*vc)->size < from->size ? (*vc)->size : from->size;
    if (*vc) {
        bool beyond = false;
        for (uint32_t s = common; s < from->size; s++)
            beyond |= from->ticks[s] != 0;
        if (!beyond && dh_ticks_within(from->ticks, (*vc)->ticks, common)) return false;
    }
    *vc = dh_vc_own(*vc, from->size);
    return dh_ticks_join((*vc)->ticks, from->ticks, from->size);
}

bool dh_vc_note(struct dh_vc **vc, struct dh_epoch epoch) {
    if (dh_vc_tick(*vc, epoch.slot) >= epoch.tick) return false;
    /* A little room to grow, so that n new threads do not mean n copies. */
    uint32_t size = *vc ? (*vc)->size : 0;
    *vc = dh_vc_own(*vc, epoch.slot < size ? size : epoch.slot + epoch.slot / 4 + 4);
    (*vc)->ticks[epoch.slot] = epoch.tick;
    return true;
}

__attribute__((preserve_most)) void dh_vc_learn_slow(struct dh_vc **vc, struct dh_vc const *from,
                                                     struct dh_epoch epoch) {
    dh_vc_join(vc, from);
    dh_vc_note(vc, epoch);
}

/* The heads behind the first `kept` are given up. */
static void heads_shrink(struct dh_heads *heads, uint32_t count, uint32_t kept) {
    for (uint32_t i = kept; i < count; i++)
        dh_vc_unref(heads->list[i].vc);
    heads->count = kept;
}

void dh_heads_end(struct dh_heads *heads, unsigned bytes, uint32_t continuing) {
    uint32_t count = heads->count;
    heads_shrink(heads, count, dh_heads_overwrite(heads->list, count, bytes, continuing));
}

void dh_heads_add(struct dh_heads *heads, struct dh_snapshot head) {
    uint32_t count = heads->count;
    heads->list = dh_grow(heads->list, count, &heads->room, sizeof head);
    heads_shrink(heads, count + 1, dh_heads_publish(heads->list, count, head));
}

void dh_heads_free(struct dh_heads *heads) {
    heads_shrink(heads, heads->count, 0);
    dh_free(heads->list, heads->room * sizeof *heads->list);
    *heads = (struct dh_heads){0};
}
