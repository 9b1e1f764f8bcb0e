/* Loops that nobody can count are interrupted by handlers with such loops, over and over, by handlers that
 * jump out of them, and go on as if nothing had happened. */
#ifndef DEADHEAT_TEST_INTERRUPTED_H
#define DEADHEAT_TEST_INTERRUPTED_H

#include "test.h"
#include <setjmp.h>
#include <signal.h>

enum { SIZE = 4096, ROUNDS = 300, FAULT = 1000 };
int keys[SIZE], others[SIZE], *pointers[SIZE];
long sums[2];
static int done;
static sigjmp_buf back;

__attribute__((noinline)) static long walk(int const *p) {
    long sum = 0;
    for (; *p != -1; p++)
        sum += *p;
    return sum;
}

__attribute__((noinline)) static long follow(void) {
    long sum = 0;
    for (int i = 0; keys[i] != -1; i++)
        sum += *pointers[i];
    return sum;
}

static void interrupt(int signal) {
    (void)signal;
    sums[1] = walk(others);
}

static void jump(int signal) { siglongjmp(back, signal); }

static void *walker(void *unused) {
    step();
    for (int i = 0; i < ROUNDS; i++) {
        sums[0] = walk(keys);
        CHECK(sums[0] == SIZE - 1);
        if (sigsetjmp(back, 1) == 0) {
            sums[0] = follow();
            CHECK(!"it faults");
        }
    }
    __atomic_store_n(&done, 1, __ATOMIC_RELAXED);
    return unused;
}

/* The handlers are the walker's. `raced` is written by another thread, which nothing orders before it. */
static inline int run(int *raced) {
    for (int i = 0; i < SIZE; i++) {
        keys[i] = others[i] = i == SIZE - 1 ? -1 : 1;
        pointers[i] = i == FAULT ? NULL : &keys[0];
    }
    signal(SIGUSR1, interrupt);
    signal(SIGSEGV, jump);
    steps(2);
    pthread_t thread = spawn(walker, NULL);
    *raced = 1;
    step();
    while (!__atomic_load_n(&done, __ATOMIC_RELAXED))
        pthread_kill(thread, SIGUSR1);
    join(thread);
    return 0;
}

#endif
