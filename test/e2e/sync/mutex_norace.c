/* Mutexes of every type, by every way to lock them. */
// FLAGS: -D_GNU_SOURCE
#include "test.h"

#include <errno.h>
#include <time.h>

enum { ROUNDS = 1000, KINDS = 6 };

static struct {
    pthread_mutex_t mutex;
    long count;
} kinds[KINDS] = {
    {PTHREAD_MUTEX_INITIALIZER, 0},
    {PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, 0},
    {PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP, 0},
    {PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP, 0},
};

static void lock(pthread_mutex_t *mutex, int way) {
    struct timespec until;
    switch (way % 4) {
    case 0: CHECK(pthread_mutex_lock(mutex) == 0); break;
    case 1:
        while (pthread_mutex_trylock(mutex) == EBUSY)
            ;
        break;
    case 2:
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += 60;
        CHECK(pthread_mutex_timedlock(mutex, &until) == 0);
        break;
    case 3:
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec += 60;
        CHECK(pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &until) == 0);
    }
}

static void *work(void *unused) {
    for (int i = 0; i < ROUNDS; i++)
        for (int kind = 0; kind < KINDS; kind++) {
            pthread_mutex_t *mutex = &kinds[kind].mutex;
            lock(mutex, i);
            if (kind == 1) CHECK(pthread_mutex_lock(mutex) == 0);
            kinds[kind].count++;
            if (kind == 1) CHECK(pthread_mutex_unlock(mutex) == 0);
            if (kind == 2) CHECK(pthread_mutex_lock(mutex) == EDEADLK);
            kinds[kind].count++;
            CHECK(pthread_mutex_unlock(mutex) == 0);
            if (kind == 2) CHECK(pthread_mutex_unlock(mutex) == EPERM);
        }
    return unused;
}

static void init(pthread_mutex_t *mutex, int robust, int protocol) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, robust);
    pthread_mutexattr_setprotocol(&attr, protocol);
    CHECK(pthread_mutex_init(mutex, &attr) == 0);
    pthread_mutexattr_destroy(&attr);
}

int main(void) {
    init(&kinds[4].mutex, PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_NONE);
    init(&kinds[5].mutex, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_INHERIT);
    run_two(work, work);
    for (int kind = 0; kind < KINDS; kind++) {
        CHECK(kinds[kind].count == 4 * ROUNDS);
        CHECK(pthread_mutex_destroy(&kinds[kind].mutex) == 0);
    }
    return 0;
}
