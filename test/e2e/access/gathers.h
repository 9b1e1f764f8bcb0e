/* Gathers: reads all over an array, at indices that come out of memory, so often in one epoch that the thread keeps
 * a table of them (rt/gathers.h). What it knows must be over when the epoch is, and when memory is other memory. */
#ifndef DEADHEAT_TEST_GATHERS_H
#define DEADHEAT_TEST_GATHERS_H

#include "annotate/annotations.h"

#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>

enum { CELLS = 4096, ROUNDS = 3 * CELLS, RACED = 100 };
/* Each cell three times: for the cell, for the table, and for the answer. `faults` leaves the array once, early in
 * the third time. */
int where[ROUNDS], faults[ROUNDS];
sem_t there, back;

static inline void prepare(void) {
    for (int i = 0; i < ROUNDS; i++)
        where[i] = faults[i] = i * 7 % CELLS;
    faults[2 * CELLS + 10] = CELLS;
    sem_init(&there, 0, 0);
    sem_init(&back, 0, 0);
}

/* A place in the source for each case. */
#define GATHER(name, where)                                         \
    static long volatile kept_by_##name;                            \
    __attribute__((noinline)) static void name(long const *array) { \
        long sum = 0;                                               \
        for (int i = 0; i < ROUNDS; i++)                            \
            sum += array[where[i]];                                 \
        kept_by_##name = sum;                                       \
    }

/* An array with a page behind it. */
enum { PAGE = 4096, SIZE = CELLS * sizeof(long) + PAGE };
static inline long *map(long *at, int flags) {
    void *p = mmap(at, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    CHECK(p != MAP_FAILED);
    return p;
}
/* It cannot be read, and then it can. */
static inline long *fenced(void) {
    long *array = map(NULL, 0);
    CHECK(mprotect(array + CELLS, PAGE, PROT_NONE) == 0);
    return array;
}
static inline void unfence(long *array) { CHECK(mprotect(array + CELLS, PAGE, PROT_READ) == 0); }

#endif
