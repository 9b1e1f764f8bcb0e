/* What each thread did lately, for the other side of a report: its accesses, each with the stack
 * and the locks held. A ring a thread; what falls out of it costs a report its second stack, never
 * the report.
 *
 * Accesses made from one place at regular distances become one event, so that a sweep over an array
 * is one. A *site* is the event that the next access from a place may still continue. The place is
 * the address of the code and its *context*: the frame and the innermost callers, at one moment. Two
 * stacks that agree in all of these and differ further out, in one epoch and with the same locks,
 * are taken for one: so that the frames are followed once for each call of a function, and not for
 * each access. At the next moment they are compared with what they were, which is mostly the same.
 */
#ifndef DEADHEAT_RT_HISTORY_H
#define DEADHEAT_RT_HISTORY_H

#include "rt/report.h"
#include "rt/state.h"

struct dh_event {
    uintptr_t address;
    uint32_t unit;   /* bytes of each access */
    uint32_t stride; /* from each to the next; 0 while there is one */
    uint32_t count;
    uint16_t flags; /* enum dh_access_flags */
    uint16_t lock_count;
    struct dh_epoch epoch;
    uintptr_t pc;        /* of the access, */
    dh_stack_id callers; /* and what was behind it on the stack */
    uint64_t locks_at;   /* the number of the first lock */
};

/* Two rings: events, and the locks that were held during them. The numbers of events and locks only
 * grow; number n is at n % size. */
struct dh_history {
    struct dh_thread *thread;
    uint32_t size; /* of both, a power of two */
    uint64_t next; /* event */
    struct dh_event *events;
    uint64_t next_lock;
    struct dh_raw_lock *locks;
    struct dh_places *places; /* null: the copy that a short thread left */
    struct dh_history *older; /* list of ended threads' histories */
};

void dh_history_attach(struct dh_thread *self); /* in the thread, when it starts */
void dh_history_detach(struct dh_thread *self); /* when it ends; its events stay a while */

/* The running thread accessed these bytes in its running epoch. Inside a critical section. */
void dh_history_add(struct dh_thread *self, uintptr_t address, uint32_t size, uint32_t flags,
                    struct dh_here here);
/* The same for `count` accesses of `unit` bytes at regular distances. */
void dh_history_add_run(struct dh_thread *self, uintptr_t address, uint32_t unit, uint32_t stride,
                        uint32_t count, uint32_t flags, struct dh_here here);

/* The same from a place that may be over. */
void dh_history_add_past(struct dh_thread *self, uintptr_t address, uint32_t unit, uint32_t stride,
                         uint32_t count, uint32_t flags, uintptr_t pc, dh_stack_id callers);

static inline struct dh_site *dh_site_of(struct dh_thread *self, uintptr_t pc) {
    return &self->places->sites[pc * 0x9e3779b97f4a7c15u >> (64 - DH_SITE_BITS)];
}

/* Another one when the epoch changes, or the locks held, or what the program's code consists of. One
 * load: these two are neighbours. */
static inline uint64_t dh_moment(struct dh_thread const *self) {
    return (uint64_t)self->locks_changed << 32 | self->tick;
}

static inline struct dh_context *dh_context_of(struct dh_thread *self, struct dh_here here) {
    return &self->places->contexts[here.frame / 16 % DH_CONTEXTS];
}

static inline bool dh_context_is_here(struct dh_context const *c, struct dh_thread const *self,
                                      struct dh_here here) {
    if (c->frame != here.frame || c->moment != dh_moment(self)) return false;
    uintptr_t const *frame = (uintptr_t const *)here.frame;
    if (frame[0] != c->link[0].outer || frame[1] != c->link[0].caller) return false;
    /* Where the outer frame was one, it still is: it can be read. */
    return c->links < 2 || ((uintptr_t const *)frame[0])[1] == c->link[1].caller;
}

/* The event of a site, null if it has been overwritten. */
static inline struct dh_event *dh_site_event(struct dh_history const *h,
                                             struct dh_site const *site) {
    return h->next - site->number <= h->size ? &h->events[site->number & (h->size - 1)] : 0;
}

/* The same, where it continues what was last done from here; else false. A place in the code always
 * makes accesses of one kind and size, except for ranges, which do not come here. */
static inline bool dh_history_continue(struct dh_thread *self, uintptr_t address,
                                       struct dh_here here) {
    struct dh_site *site = dh_site_of(self, here.pc);
    struct dh_context const *c = dh_context_of(self, here);
    if (site->next != address || site->pc != here.pc || site->context != c->number
        || !dh_context_is_here(c, self, here))
        return false;
    struct dh_event *e = dh_site_event(self->history, site);
    if (DH_UNLIKELY(!e)) return false;
    e->count++;
    site->next = address + e->stride;
    return true;
}

/* The newest access in this epoch, of this kind of flags, to the byte at `address`; fills in
 * address, size, stack and locks of `side`. Returns how many bytes from there on it is on; 0: no
 * longer on record. */
size_t dh_history_find(struct dh_epoch epoch, enum dh_kind kind, uintptr_t address,
                       struct dh_raw_side *side);

#endif
