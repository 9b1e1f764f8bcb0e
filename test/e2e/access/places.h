/* Memory of every origin, as places that two threads meet at. */
#ifndef DEADHEAT_TEST_PLACES_H
#define DEADHEAT_TEST_PLACES_H

#include "test.h"

#include <semaphore.h>
#include <sys/mman.h>

int global;
static _Thread_local int thread_local_word = 1;

/* A thread that lends its own memory until it is told that all is over. */
static int *lent_stack, *lent_local;
static sem_t lent, over;
static void *lend(void *unused) {
    int array[100] = {0};
    lent_stack = &array[50];
    lent_local = &thread_local_word;
    sem_post(&lent);
    sem_wait(&over);
    return unused;
}

static int *static_local(void) {
    static int word;
    return &word;
}

static inline int *mapped(int flags) {
    void *p = mmap(NULL, 100000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    CHECK(p != MAP_FAILED);
    return (int *)p + 20000;
}

#define PLACES(X)                                                                                       \
    X(global, &global)                                                                                  \
    X(static_local, static_local())                                                                     \
    X(own_stack, &array[7])                                                                             \
    X(own_thread_local, &thread_local_word)                                                             \
    X(other_stack, lent_stack)                                                                          \
    X(other_thread_local, lent_local)                                                                   \
    X(malloc, (int *)malloc(400) + 50)                                                                  \
    X(calloc, (int *)calloc(100, 4) + 99)                                                               \
    X(aligned, (int *)aligned_alloc(4096, 8192) + 2000)                                                 \
    X(large, (int *)malloc(3 << 20) + 500000)                                                           \
    X(mmap, mapped(0))                                                                                  \
    X(mmap_low, mapped(MAP_32BIT))

static inline pthread_t lender_start(void) {
    sem_init(&lent, 0, 0);
    sem_init(&over, 0, 0);
    pthread_t lender = spawn(lend, NULL);
    sem_wait(&lent);
    return lender;
}

static inline void lender_end(pthread_t lender) {
    sem_post(&over);
    join(lender);
}

#endif
