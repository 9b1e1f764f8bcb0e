/* One thread ends the process while another has just swept over an array, and has not synchronised
 * since. */
#ifndef DEADHEAT_TEST_PENDING_H
#define DEADHEAT_TEST_PENDING_H

#include "ends.h"

enum { SIZE = 1024 };
int swept[SIZE];

static void sweep(void) {
    for (int i = 0; i < SIZE; i++)
        swept[i]++;
}

static void *sweeper(void *unused) {
    step();
    sweep();
    step();
    for (;;)
        pause();
    return unused;
}

/* The last element: checks of the first are not put off. Touches it before or after the other thread is made,
 * and ends. */
static inline void sweep_and_end(void (*end)(void), int ordered) {
    steps(2);
    if (ordered) swept[SIZE - 1]++;
    spawn(sweeper, NULL);
    if (!ordered) swept[SIZE - 1]++;
    join(spawn((void *(*)(void *))pthread_self, NULL)); /* nothing of ours is left to check */
    step();
    step();
    end();
}

#endif
