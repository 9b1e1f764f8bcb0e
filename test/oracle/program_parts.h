/* What the programs of program_maker.py share: the memory and the synchronisation objects of one program,
 * and the running of it. */
#ifndef DEADHEAT_ORACLE_PROGRAM_PARTS_H
#define DEADHEAT_ORACLE_PROGRAM_PARTS_H

#include <deadheat.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLOCK = 12 }; /* ints of a heap block */

struct pair {
    long x, y;
};
struct mixed {
    char a;
    short b;
    int c : 5, d : 9, e : 18;
    long f;
};
struct __attribute__((packed)) packed {
    char a;
    int b;
    long c;
};

struct triple {
    int x, y, z, rest;
};

struct wide {
    int x, y;
    long z;
};

struct shared {
    unsigned char bytes[24];
    short shorts[8];
    int ints[12];
    long longs[6];
    double doubles[4];
    struct pair pairs[3];
    struct triple triples[5];
    short grid[4][6];
    struct wide wide[160]; /* several blocks of shadow */
    struct mixed mixed[2];
    struct packed packed[2];
    atomic_char ac[4];
    atomic_short as[2];
    atomic_int ai[3];
    atomic_long al[2];
    int *_Atomic slots[2]; /* heap blocks on their way from thread to thread */
    int *heap;             /* made before the threads are */
    char tags[4];          /* for annotations */
    int flag;              /* belongs to mutexes[2] and cond */
    pthread_mutex_t mutexes[3], recursive;
    pthread_rwlock_t rwlocks[2];
    pthread_spinlock_t spin;
    sem_t sems[2];
    pthread_cond_t cond;
    pthread_barrier_t barrier;
    pthread_once_t once;
};

/* The scheduler is not random enough by itself. Not checked, not recorded. */
__attribute__((no_sanitize("thread"), noinline, unused)) static void noise(void) {
    static _Thread_local unsigned long random;
    static int wild = -1;
    if (wild < 0) wild = getenv("NOISE") != NULL;
    if (random == 0) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        random = (unsigned long)now.tv_nsec * 2654435761u ^ (unsigned long)&random;
    }
    random = random * 6364136223846793005u + 1442695040888963407u;
    unsigned n = (unsigned)(random >> 60);
    if (n < 3) sched_yield();
    if (wild && n == 3) nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
}

/* Called between accesses: what may a check on one side still stand for on the other? */
__attribute__((noinline, unused)) static long quiet(long s) { return 3 * s + 1; }
__attribute__((noinline, unused)) static long gives(struct shared *w, long s) {
    atomic_store_explicit(&w->ai[0], 1, memory_order_release);
    return s;
}
__attribute__((noinline, unused)) static long takes(struct shared *w, long s) {
    return s + atomic_load_explicit(&w->ai[0], memory_order_acquire);
}
__attribute__((noinline, unused)) static long may_give(struct shared *w, long s) {
    return s & 1 ? gives(w, quiet(s)) : s;
}

/* How often helpers may still call themselves. */
__attribute__((unused)) static _Thread_local int depth_left;

/* limits[i] is i, but who knows. */
int limits[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24};

/* The bits of a value that the optimiser must compute. */
#define USE(value) __asm__ volatile("" : : "r"(value) : "memory")

static inline int try_wait(sem_t *sem) {
    for (int i = 0; i < 20; i++) {
        if (sem_trywait(sem) == 0) return 1;
        sched_yield();
    }
    return 0;
}

static inline void short_wait(struct shared *w) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 200000;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    pthread_cond_timedwait(&w->cond, &w->mutexes[2], &until);
}

/* A program: its threads, of which the first is run by the main thread. */
struct program {
    struct shared *shared;
    void *(*const *threads)(void *);
    int count;
};

static void run(struct program const *p) {
    struct shared *w = p->shared;
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    for (int i = 0; i < 3; i++)
        pthread_mutex_init(&w->mutexes[i], NULL);
    pthread_mutex_init(&w->recursive, &recursive);
    for (int i = 0; i < 2; i++)
        pthread_rwlock_init(&w->rwlocks[i], NULL);
    for (int i = 0; i < 2; i++)
        sem_init(&w->sems[i], 0, 1);
    pthread_spin_init(&w->spin, 0);
    pthread_cond_init(&w->cond, NULL);
    pthread_barrier_init(&w->barrier, NULL, (unsigned)p->count);
    w->once = (pthread_once_t)PTHREAD_ONCE_INIT;
    w->heap = calloc(BLOCK, sizeof *w->heap);
    pthread_t threads[8];
    for (int i = 1; i < p->count; i++)
        if (pthread_create(&threads[i], NULL, p->threads[i], NULL) != 0) abort();
    p->threads[0](NULL);
    for (int i = 1; i < p->count; i++)
        if (pthread_join(threads[i], NULL) != 0) abort();
    free(w->heap);
    for (int i = 0; i < 2; i++)
        free(atomic_load_explicit(&w->slots[i], memory_order_relaxed));
    pthread_barrier_destroy(&w->barrier);
}

/* program FIRST END */
static int run_some(struct program const *programs, char **argv) {
    for (int i = atoi(argv[1]), end = atoi(argv[2]); i < end; i++)
        run(&programs[i]);
    return 0;
}

#endif
