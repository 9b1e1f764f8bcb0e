/* What each thread did lately, for the other side of a report: its accesses, each with the stack
 * and the locks held. A ring a thread; what falls out of it costs a report its second stack, never
 * the report.
 *
 * It is written at nearly every access that is the first of its epoch, so what is written there is
 * short: an *event* of two words, the address and the place in the code. What those of one context
 * (rt/contexts.h) share, the epoch, the callers and the locks, is a *setting*, which comes before
 * them. An event says by a number which of the thread's contexts it is of.
 *
 *   Invariant: the setting of an event is the last one before it that is of the same context, and
 * it is in the same page of the ring. So each page can be read by itself, whatever became of those
 * before it. At its beginning no context goes on.
 */
#ifndef DEADHEAT_RT_HISTORY_H
#define DEADHEAT_RT_HISTORY_H

#include "rt/contexts.h"
#include "rt/report.h"

/*         63  56 55     48 47          0           63         16 15     4 3     0
 *   what  | form | context | an address |    place | in the code |  size  | flags |
 *
 * A size of 0 is for what does not fit: then there is more, in the event before it. */
struct dh_event {
    uint64_t what, place;
};
enum dh_event_form {
    DH_EVENT_ACCESS,
    /* what: the slot, and above it how many locks were held, each of which is a DH_EVENT_MORE
     * before this one. place: the callers, and below them the tick. */
    DH_EVENT_SETTING,
    /* Of an access, what: how many there were; place: the stride, and below it the size of each. Of
     * a lock, what: its address; place: where it was taken, and below that, whether for reading. */
    DH_EVENT_MORE,
};
#define DH_EVENT_CONTEXT_SHIFT 48
#define DH_EVENT_FORM_SHIFT 56
#define DH_EVENT_PLACE_SHIFT 16
#define DH_EVENT_SIZE_SHIFT 4
#define DH_EVENT_SIZE_MAX ((1u << (DH_EVENT_PLACE_SHIFT - DH_EVENT_SIZE_SHIFT)) - 1)
#define DH_EVENTS_PAGE 4096 /* bytes */
/* The number of a context that is none: of what was put off, or has no frame. */
#define DH_EVENT_PAST ((uint64_t)DH_CONTEXTS << DH_EVENT_CONTEXT_SHIFT)

/* The number of an event counts from the first one on; number n is at n % size. */
struct dh_history {
    struct dh_event *events;
    uint32_t size;            /* a power of two */
    uint64_t laps;            /* how often the ring came round */
    struct dh_places *places; /* null: the copy that a short thread left */
    uint64_t filled;          /* bytes, by the threads that had it before, at most */
    struct dh_thread *thread; /* whose `event` is where the next one goes */
    struct dh_history *older; /* list of ended threads' histories */
};

void dh_history_attach(struct dh_thread *self); /* in the thread, when it starts */
void dh_history_detach(struct dh_thread *self); /* when it ends; its events stay a while */

/* The running thread is in the call with this frame, at this moment, as its `here` says from now on.
 * False: the thread has no history to write to. Keeps all registers. Inside a critical section, as
 * all of these. */
__attribute__((preserve_most)) bool dh_history_enter(uintptr_t frame);
/* The same for who has no register to spare: of the frame that its caller was called from. */
__attribute__((preserve_most)) bool dh_history_enter_outer(void);
/* The ring goes on with another page. Keeps all registers. */
__attribute__((preserve_most)) void dh_history_turn(void);

/* The invariant, of an event that is about to be made in this context. */
#ifdef DH_CHECKED
void dh_history_must_be_set(struct dh_thread const *self, uint64_t context);
#else
static inline void dh_history_must_be_set(struct dh_thread const *self, uint64_t context) {
    (void)self, (void)context;
}
#endif

/* An access of at most DH_EVENT_SIZE_MAX bytes, in the call that `here` is of. */
static inline __attribute__((always_inline)) void dh_event_put(struct dh_thread *self,
                                                               uintptr_t address, uint32_t size,
                                                               uint32_t flags, uintptr_t pc) {
    struct dh_event *e = self->event;
    dh_history_must_be_set(self, self->here->event);
    e->what = address | self->here->event;
    e->place = pc << DH_EVENT_PLACE_SHIFT | size << DH_EVENT_SIZE_SHIFT | flags;
    __atomic_store_n(&self->event, ++e, __ATOMIC_RELEASE);
    if (DH_UNLIKELY((uintptr_t)e % DH_EVENTS_PAGE == 0)) dh_history_turn();
}

/* The running thread accessed so many bytes in its running epoch. */
static inline __attribute__((always_inline)) void dh_history_note(struct dh_thread *self,
                                                                  uintptr_t address, uint32_t size,
                                                                  uint32_t flags,
                                                                  struct dh_here here) {
    if (DH_UNLIKELY(!dh_context_is_of(self->here, here.frame)) && !dh_history_enter(here.frame))
        return;
    dh_event_put(self, address, size, flags, here.pc);
}
/* The same for any number of bytes. */
void dh_history_add(struct dh_thread *self, uintptr_t address, uint32_t size, uint32_t flags,
                    struct dh_here here);
/* The same for `count` accesses of `unit` bytes at regular distances. */
void dh_history_add_run(struct dh_thread *self, uintptr_t address, uint32_t unit, uint32_t stride,
                        uint32_t count, uint32_t flags, struct dh_here here);
/* The same for accesses side by side. */
static inline void dh_history_note_row(struct dh_thread *self, uintptr_t address, uint32_t unit,
                                       uint32_t count, uint32_t flags, struct dh_here here) {
    dh_history_add_run(self, address, unit, unit, count, flags, here);
}
/* The same from a place that may be over. */
void dh_history_add_past(struct dh_thread *self, uintptr_t address, uint32_t unit, uint32_t stride,
                         uint32_t count, uint32_t flags, uintptr_t pc, dh_stack_id callers);

/* The same of the links of a trail (rt/trails.h), which are reads. */
struct dh_trail_link;
void dh_history_add_links(struct dh_thread *self, struct dh_trail_link const *links,
                          uint32_t count);

/* How many events the thread has made that its statistics do not have yet. */
uint64_t dh_history_uncounted(struct dh_thread const *thread);

/* The newest access in this epoch, of this kind of flags, to the byte at `address`; fills in
 * address, size, stack and locks of `side`. Returns how many bytes from there on it is on; 0: no
 * longer on record. */
size_t dh_history_find(struct dh_epoch epoch, enum dh_kind kind, uintptr_t address,
                       struct dh_raw_side *side);

#endif
