/* What each thread did lately, for the other side of a report: its accesses, each with the stack
 * and the locks held. A ring a thread; what falls out of it costs a report its second stack, never
 * the report.
 *
 * Accesses made from one place at regular distances become one event, so that a sweep over an array
 * is one. The place is the address of the code and its *context*: the frame and the innermost
 * callers, at one moment. Two stacks that agree in all of these and differ further out, in one
 * epoch and with the same locks, are taken for one: so that the frames are followed once for each
 * call of a function, and not for each access. At the next moment they are compared with what they
 * were, which is mostly the same.
 *
 * Events are written all the time, so they are short. What those of one context share is its
 * *setting*, in a ring of its own.
 */
#ifndef DEADHEAT_RT_HISTORY_H
#define DEADHEAT_RT_HISTORY_H

#include "rt/report.h"
#include "rt/state.h"

/* Half a line of the cache. */
struct dh_event {
    uintptr_t address;
    uint64_t place;   /* the return address into the code, and above it what kind of access it is */
    uint32_t unit;    /* bytes of each access */
    uint32_t stride;  /* from each to the next; 0 while there is one */
    uint32_t count;   /* of accesses */
    uint32_t setting; /* its number */
};
#define DH_PLACE_SHIFT 48
static inline uint64_t dh_place(uintptr_t pc, uint32_t flags) {
    return pc | (uint64_t)flags << DH_PLACE_SHIFT;
}
static inline uintptr_t dh_place_pc(uint64_t place) {
    return place & (((uint64_t)1 << DH_PLACE_SHIFT) - 1);
}

struct dh_setting {
    struct dh_epoch epoch;
    dh_stack_id callers; /* what was behind the place on the stack */
    uint32_t lock_count;
    union {
        struct dh_raw_lock lock; /* the only one */
        uint64_t locks_at;       /* of several: the number of the first */
    };
};

/* Two rings: events, and the locks that were held where there were several. Their numbers only
 * grow; number n is at n % size. And settings, DH_CHUNK of them at a time: a *chunk* is used again
 * when the last event that was made with any of its settings is no longer in the ring, and those at
 * the beginning are used first. Most settings have several events, so that a few chunks are enough,
 * which stay in the cache.
 *
 *   Invariant: behind each setting comes an event before the next setting, and no event is made
 * with a setting of a chunk that is full, once another one was begun: no context stays with one.
 * So what the ring of events still has, has its setting. And while the ring holds `size` events, no
 * more than size / DH_CHUNK chunks can have become full. */
#define DH_CHUNK 1024u
struct dh_history {
    _Alignas(64) uint64_t next; /* event */
    struct dh_event *events;
    uint32_t size;         /* a power of two */
    uint32_t next_setting; /* a multiple of DH_CHUNK: another chunk is to be begun */
    struct dh_setting *settings;
    uint64_t *full_at;    /* of each chunk: `next` when it was found full; 0: it never was */
    uint32_t chunks_used; /* the first ones; the others were never touched */
    uint64_t next_lock;
    struct dh_raw_lock *locks;
    struct dh_places *places; /* null: the copy that a short thread left */
    uint64_t filled;          /* bytes, by the threads that had it before, at most */
    struct dh_thread *thread;
    struct dh_history *older; /* list of ended threads' histories */
};

void dh_history_attach(struct dh_thread *self); /* in the thread, when it starts */
void dh_history_detach(struct dh_thread *self); /* when it ends; its events stay a while */

/* The running thread accessed these bytes in its running epoch. Inside a critical section, as all
 * of these. */
void dh_history_add(struct dh_thread *self, uintptr_t address, uint32_t size, uint32_t flags,
                    struct dh_here here);
/* The same for `count` accesses of `unit` bytes at regular distances. */
void dh_history_add_run(struct dh_thread *self, uintptr_t address, uint32_t unit, uint32_t stride,
                        uint32_t count, uint32_t flags, struct dh_here here);

/* The same from a place that may be over. */
void dh_history_add_past(struct dh_thread *self, uintptr_t address, uint32_t unit, uint32_t stride,
                         uint32_t count, uint32_t flags, uintptr_t pc, dh_stack_id callers);

/* The same of the links of a trail (rt/trails.h), which are reads. */
struct dh_trail_link;
void dh_history_add_links(struct dh_thread *self, struct dh_trail_link const *links,
                          uint32_t count);

/* dh_stack_capture, which has less to do where the caller's context is known. Outside critical
 * sections. */
dh_stack_id dh_history_stack(struct dh_here here);

/* With the world stopped: none of the thread's contexts goes on. */
void dh_history_interrupt(struct dh_thread *thread);

/* How many events the thread has made that its statistics do not have yet. */
uint64_t dh_history_uncounted(struct dh_thread const *thread);

/* Another one when the epoch changes, or the locks held, or what the program's code consists of. It
 * is a number of its own, written and read as a whole: a load of two that were written apart, just
 * before, would wait for the stores. */
static inline uint64_t dh_moment(struct dh_thread const *self) { return self->moment; }

static inline struct dh_context *dh_context_of(struct dh_places *places, uintptr_t frame) {
    return &places->contexts[frame / 16 % DH_CONTEXTS];
}
/* The same where much is done with it: or clang would find each part of it anew. */
static inline struct dh_context *dh_context_kept(struct dh_places *places, uintptr_t frame) {
    struct dh_context *c = dh_context_of(places, frame);
    __asm__("" : "+r"(c));
    return c;
}

static inline bool dh_context_is_here(struct dh_context const *c, struct dh_thread const *self,
                                      uintptr_t at) {
    if (c->frame != at || c->moment != dh_moment(self)) return false;
    uintptr_t const *frame = (uintptr_t const *)at;
    if (frame[0] != c->link[0].outer || frame[1] != c->link[0].caller) return false;
    /* Where the outer frame was one, it still is: it can be read. */
    return c->links < 2 || ((uintptr_t const *)frame[0])[1] == c->link[1].caller;
}

/* The same call goes on at another moment: all frames hold what they did. Those that were frames on
 * this stack then can be read now, also where others lead elsewhere by now. Most stacks are short,
 * and the first few links are compared without a loop: then little else needs a register. */
#define DH_CONTEXT_FIRST 4
static inline bool dh_link_holds(struct dh_link const *then, uintptr_t frame) {
    struct dh_link const *now = (struct dh_link const *)frame;
    return DH_LIKELY(now->caller == then->caller) && DH_LIKELY(now->outer == then->outer);
}
/* The same from so many links on. Keeps all registers. */
__attribute__((preserve_most)) bool dh_context_goes_on_from(struct dh_context const *c,
                                                            uint32_t links);
static inline __attribute__((always_inline)) bool dh_context_goes_on(struct dh_context const *c,
                                                                     uintptr_t frame) {
    uint32_t const links = c->whole;
    if (DH_UNLIKELY(c->frame != frame) || DH_UNLIKELY(links == 0)) return false;
#pragma clang loop unroll(full)
    for (uint32_t i = 0; i < DH_CONTEXT_FIRST; i++) {
        if (!dh_link_holds(&c->link[i], i == 0 ? frame : c->link[i - 1].outer)) return false;
        if (links == i + 1) return true;
    }
    return dh_context_goes_on_from(c, DH_CONTEXT_FIRST);
}

/* The stack at `here`, if it was asked for there the last time that it was in this context. 0: it
 * is not known. */
static inline __attribute__((always_inline)) dh_stack_id
dh_context_stack(struct dh_context const *c, struct dh_here here) {
    return DH_LIKELY(c->pc == here.pc) && dh_context_goes_on(c, here.frame) ? c->stack : 0;
}

/* With the lock that the caller is about to take a moment begins, and the call goes on at its
 * beginning. The first epoch of that moment is the running one, or the next if this one was
 * released: whether the thread learns anything makes no difference. */
static inline void dh_context_expect_lock(struct dh_context *c, struct dh_thread const *self) {
    c->next_moment = dh_moment(self) + 1 + self->released;
}

/* The context of the running thread's frame becomes what it is now. False: the thread has no
 * history to write to. Keeps all registers. */
__attribute__((preserve_most)) bool dh_context_renew(uintptr_t frame);
/* The same for who needs its callers only, and makes no event now: without a setting. */
__attribute__((preserve_most)) bool dh_context_learn(uintptr_t frame);

/* The same for who has no register to spare: of the frame that its caller was called from. */
__attribute__((preserve_most)) bool dh_context_renew_outer(void);

/* The access goes on from the event's last one, which was from the same place. The second access
 * settles the distance. */
static inline bool dh_event_goes_on(struct dh_event *e, uintptr_t address) {
    uintptr_t distance = address - e->address;
    if (e->count == 1) {
        if (distance < e->unit || distance > UINT16_MAX) return false;
        e->stride = (uint32_t)distance;
    } else if (distance != (uintptr_t)e->count * e->stride) {
        return false;
    }
    e->count++;
    return true;
}

static inline struct dh_site *dh_site_of(struct dh_places *places, uintptr_t pc) {
    return &places->sites[(uint32_t)pc * 0x9e3779b9u >> (32 - DH_SITE_BITS)];
}

/* The ring's events are behind its places. */
static inline struct dh_event *dh_events_of(struct dh_places *places) {
    return (struct dh_event *)(places + 1);
}

/* A new one, which its site goes on with. */
static inline __attribute__((always_inline)) void dh_event_put(struct dh_thread *self,
                                                               struct dh_places *places,
                                                               struct dh_site *site,
                                                               struct dh_event event) {
    struct dh_history *h = self->history;
    uint64_t number = h->next;
    uint32_t at = (uint32_t)number & (h->size - 1);
    dh_events_of(places)[at] = event;
    *site = (struct dh_site){at, event.setting};
    __atomic_store_n(&h->next, number + 1, __ATOMIC_RELEASE);
}
static inline __attribute__((always_inline)) void
dh_event_begin(struct dh_thread *self, struct dh_places *places, struct dh_site *site,
               uint32_t setting, uintptr_t address, uint32_t size, uint64_t place) {
    dh_event_put(self, places, site, (struct dh_event){address, place, size, 0, 1, setting});
}

/* What is in the ring at the place of a site is the event to go on with, if it has the same place,
 * setting and size: whichever it is. */
static inline bool dh_site_goes_on(struct dh_places *places, struct dh_site const *site,
                                   uintptr_t address, uint32_t size, uint64_t place) {
    struct dh_event *e = &dh_events_of(places)[site->at];
    return e->place == place && e->setting == site->setting && e->unit == size
           && dh_event_goes_on(e, address);
}

/* The same for who has no register to spare: from where its caller was called. The access, of one
 * byte to eight, is what the thread is `asked` about. Keeps all registers. */
#define DH_ASKED_SIZE_SHIFT 8 /* among the flags */
__attribute__((preserve_most)) bool dh_site_goes_on_outer(void);

/* dh_history_add, inlined. */
static inline __attribute__((always_inline)) void dh_history_note(struct dh_thread *self,
                                                                  uintptr_t address, uint32_t size,
                                                                  uint32_t flags,
                                                                  struct dh_here here) {
    struct dh_places *places = self->places;
    struct dh_context *c = dh_context_of(places, here.frame);
    if (DH_UNLIKELY(!dh_context_is_here(c, self, here.frame)) && !dh_context_renew(here.frame))
        return;
    struct dh_site *site = dh_site_of(places, here.pc);
    uint64_t place = dh_place(here.pc, flags);
    if (site->setting != c->setting || !dh_site_goes_on(places, site, address, size, place))
        dh_event_begin(self, places, site, c->setting, address, size, place);
}

/* The same for accesses of `unit` bytes side by side, at least two, from one place. They go on from
 * such a row where that ends. */
static inline __attribute__((always_inline)) void
dh_history_note_row(struct dh_thread *self, uintptr_t address, uint32_t unit, uint32_t count,
                    uint32_t flags, struct dh_here here) {
    struct dh_places *places = self->places;
    struct dh_context *c = dh_context_of(places, here.frame);
    if (DH_UNLIKELY(!dh_context_is_here(c, self, here.frame)) && !dh_context_renew(here.frame))
        return;
    struct dh_site *site = dh_site_of(places, here.pc);
    uint64_t place = dh_place(here.pc, flags);
    struct dh_event *e = &dh_events_of(places)[site->at];
    if (site->setting == c->setting && e->setting == c->setting && e->place == place
        && e->unit == unit && e->stride == unit
        && address - e->address == (uintptr_t)e->count * unit && e->count < UINT32_MAX - count) {
        e->count += count;
        return;
    }
    dh_event_put(self, places, site,
                 (struct dh_event){address, place, unit, unit, count, c->setting});
}

/* The newest access in this epoch, of this kind of flags, to the byte at `address`; fills in
 * address, size, stack and locks of `side`. Returns how many bytes from there on it is on; 0: no
 * longer on record. */
size_t dh_history_find(struct dh_epoch epoch, enum dh_kind kind, uintptr_t address,
                       struct dh_raw_side *side);

#endif
