#ifndef DEADHEAT_RT_BARRIER_H
#define DEADHEAT_RT_BARRIER_H

struct dh_barrier;
void dh_barrier_end(struct dh_barrier *barrier);

#endif
