/* Which event is possible next: the rules of docs/traces.md as a state machine.
 *
 * Its memory grows with what is alive (locks held, threads that arrived and have
 * not departed), plus a byte for each thread and an entry for each round of a barrier that there
 * ever was.
 */
#ifndef DEADHEAT_TRACE_WELLFORMED_H
#define DEADHEAT_TRACE_WELLFORMED_H

#include "trace/event.h"
#include "trace/table.h"

#include <stddef.h>

enum {
    /* Forks by several threads at once may take effect in another order than that of the numbers;
     * but nobody can claim a number that makes tables large. */
    DH_THREAD_SLACK = 1024,
};
#define DH_ACCESS_MAX (UINT64_C(1) << 32) /* bytes */

enum dh_thread_state { DH_THREAD_NEW, DH_THREAD_RUNS, DH_THREAD_EXITED };

struct dh_wellformed {
    uint8_t *thread; /* enum dh_thread_state, by number */
    uint32_t threads;
    uint32_t room;           /* of the list: threads beyond it are new */
    struct dh_table locks;   /* (object, 0): who holds it, or how many read */
    struct dh_table readers; /* (object, thread): reads */
    struct dh_table rounds;  /* (object, 0): some departed, or not yet */
    struct dh_table waiters; /* (object, thread): arrived, and did not depart */
    char message[160];
};

void dh_wellformed_begin(struct dh_wellformed *w); /* thread 0 runs */
void dh_wellformed_end(struct dh_wellformed *w);

/* Takes one event. Null: it is possible. Else what is wrong, valid until the next call, and the
 * state is as it was. */
char const *dh_wellformed_step(struct dh_wellformed *w, struct dh_trace_event const *event);

/* Whether it is a plain access that is possible, and which changes nothing: most events are. */
static inline bool dh_wellformed_plain(struct dh_wellformed const *w,
                                       struct dh_trace_event const *event) {
    return event->op <= DH_OP_WRITE && event->thread < w->room
           && w->thread[event->thread] == DH_THREAD_RUNS && event->size - 1 < DH_ACCESS_MAX
           && event->address <= UINT64_MAX - event->size && (event->order | event->kind) == 0;
}

#endif
