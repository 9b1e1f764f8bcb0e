/* What each thread did lately, for the other side of a report: its accesses, each with the stack
 * and the locks held. A ring a thread; what falls out of it costs a report its second stack, never
 * the report.
 *
 * Accesses made from one place at regular distances become one event, so that a sweep over an array
 * is one. A *site* is the event that the next access from a place may still continue. The place is
 * the address of the code, its frame, and the innermost callers: two stacks that agree in all of
 * these and differ further out, in one epoch, at the next regular distance, would be taken for one.
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
    uint32_t site; /* which may continue it */
    struct dh_epoch epoch;
    dh_stack_id stack;
    uint64_t locks_at; /* the number of the first lock */
};

/* Of threads without a history: nothing continues there, and nothing is written. */
extern struct dh_site dh_no_sites[1 << DH_SITE_BITS];

void dh_history_attach(struct dh_thread *self); /* in the thread, when it starts */
void dh_history_detach(struct dh_thread *self); /* when it ends; its events stay a while */

/* The running thread accessed these bytes in its running epoch. Inside a critical section. */
void dh_history_add(struct dh_thread *self, uintptr_t address, size_t size, uint32_t flags,
                    struct dh_here here);
/* The same for `count` accesses of `unit` bytes, side by side or overlapping. */
void dh_history_add_run(struct dh_thread *self, uintptr_t address, uint32_t unit, uint32_t stride,
                        uint32_t count, uint32_t flags, struct dh_here here);

/* The same, keeping all registers: for the quick way (rt/quick.h). */
DH_SLOW void dh_history_add_cold(struct dh_thread *self, uintptr_t address, size_t size,
                                 uint32_t flags, struct dh_here here);

static inline struct dh_site *dh_site_of(struct dh_thread *self, uintptr_t pc) {
    return &self->sites[pc * 0x9e3779b97f4a7c15u >> (64 - DH_SITE_BITS)];
}

static inline uint64_t dh_moment(struct dh_thread const *self) {
    return (uint64_t)self->locks_changed << 32 | __dh_tls.epoch;
}

/* The site's place, where its frame is known: the same code, called from the same places. */
static inline bool dh_site_is_here(struct dh_site const *site, struct dh_here here) {
    if (site->pc != here.pc || site->frame != here.frame || !site->caller) return false;
    uintptr_t const *frame = (uintptr_t const *)here.frame;
    if (frame[0] != site->outer || frame[1] != site->caller) return false;
    /* Where the outer frame was one, it still is: it can be read. */
    return !site->outer_caller || ((uintptr_t const *)frame[0])[1] == site->outer_caller;
}

/* The same, where it continues what was last done from here; else false. A place in the code always
 * makes accesses of one kind and size, except for ranges, which do not come here. */
static inline bool dh_history_continue(struct dh_thread *self, uintptr_t address,
                                       struct dh_here here) {
    struct dh_site *site = dh_site_of(self, here.pc);
    if (site->next != address || site->moment != dh_moment(self) || !dh_site_is_here(site, here))
        return false;
    site->event->count++;
    site->next = address + site->stride;
    return true;
}

/* The newest access in this epoch, of this kind of flags, to the byte at `address`; fills in
 * address, size, stack and locks of `side`. Returns how many bytes from there on it is on; 0: no
 * longer on record. */
size_t dh_history_find(struct dh_epoch epoch, enum dh_kind kind, uintptr_t address,
                       struct dh_raw_side *side);

#endif
