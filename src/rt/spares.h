/* Large things that only a running thread needs, and that the next one can go on with as they are:
 * most of their pages would have to come from the kernel again, each by a fault that stops the
 * thread, and where it was read before it was written, by two, the second of which interrupts the
 * other processors. A thread that is started for a little work would spend its time on that.
 *
 * What is handed on keeps what it says. So that must be true, or never asked for, in any thread:
 * what is remembered of an epoch is asked for in that epoch only.
 */
#ifndef DEADHEAT_RT_SPARES_H
#define DEADHEAT_RT_SPARES_H

#include "rt/base.h"

enum { DH_SPARES = 16 };

struct dh_spares {
    struct dh_mutex lock;
    uint32_t count;
    void *list[DH_SPARES];
};

/* One of them, the newest that `suits` (null: any does), else the newest; null if there is none.
 * Inside a critical section, as the others. */
void *dh_spare_take(struct dh_spares *spares, bool (*suits)(void const *, uint64_t), uint64_t with);
/* Kept, or freed if there are enough. */
void dh_spare_put(struct dh_spares *spares, void *p, size_t size);
/* With the world stopped: all are freed. */
void dh_spares_free(struct dh_spares *spares, size_t size);

#endif
