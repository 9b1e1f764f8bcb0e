/* A program that does everything at once, for as long as wanted: what its files share.
 *
 * An *activity* is something that any number of threads may do at the same time, without a data race, and that
 * leaves nothing behind. Threads draw them at random. Where one checks what it has made, a wrong result ends the
 * program with status 3. */
#ifndef DEADHEAT_TEST_SOAK_H
#define DEADHEAT_TEST_SOAK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* A source of random numbers; each thread has its own. */
struct dice {
    uint64_t state;
    int depth; /* threads that make threads */
};

static inline uint64_t soak_roll(struct dice *dice, uint64_t below) {
    dice->state = dice->state * 6364136223846793005u + 1442695040888963407u;
    return (dice->state >> 33) % below;
}

static inline void soak_check(int good, char const *what) {
    if (good) return;
    fprintf(stderr, "soak: wrong: %s\n", what);
    _Exit(3);
}

typedef void soak_activity(struct dice *dice);

/* orders.c: what orders threads. */
void soak_orders_begin(void);
soak_activity soak_mutex, soak_rwlock, soak_spin, soak_semaphore, soak_atomics, soak_pipe,
    soak_waiting;

/* memory.c: memory comes and goes. */
soak_activity soak_blocks, soak_handover, soak_mapping, soak_keys;

/* processes.c: signals, processes, libraries, threads. */
void soak_processes_begin(char const *library);
void soak_processes_end(void);
soak_activity soak_signal, soak_fork, soak_spawn, soak_library, soak_threads;

/* Draws one and does it (world.c). */
void soak_anything(struct dice *dice);

#endif
