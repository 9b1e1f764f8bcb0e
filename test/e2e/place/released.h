/* An access, a release, and the same access again: one check may be enough, at the second. What
 * they access was written before, by a thread that held `other` (released_race.c), or the lock that they hold
 * (released_norace.c). */
#include "test.h"

#include <setjmp.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
int twice, acquired, tried, jumped, sometimes, looped;
static jmp_buf out;

__attribute__((noinline)) int at_both(int *x) {
    pthread_mutex_lock(&lock);
    int r = *x;
    pthread_mutex_unlock(&lock);
    return r + *x;
}

/* The rest differ: here the first needs a check of its own. */
__attribute__((noinline)) int then_acquires(int *x) {
    pthread_mutex_lock(&lock);
    int r = *x;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&other);
    r += *x;
    pthread_mutex_unlock(&other);
    return r;
}

__attribute__((noinline)) int then_tries(int *x) {
    pthread_mutex_lock(&lock);
    int r = *x;
    pthread_mutex_unlock(&lock);
    CHECK(pthread_mutex_trylock(&other) == 0);
    r += *x;
    pthread_mutex_unlock(&other);
    return r;
}

static __attribute__((noinline)) void leave(int now) {
    if (now) longjmp(out, 1);
}
__attribute__((noinline)) int then_jumps(int *x) {
    if (setjmp(out) != 0) return 0;
    pthread_mutex_lock(&lock);
    int r = *x;
    pthread_mutex_unlock(&lock);
    leave(r == 1);
    return r + *x;
}

__attribute__((noinline)) int then_perhaps(int *x, int again) {
    pthread_mutex_lock(&lock);
    int r = *x;
    pthread_mutex_unlock(&lock);
    if (again) r += *x;
    return r;
}

__attribute__((noinline)) int in_rounds(int *x, int n) {
    int r = 0;
    for (int i = 0; i < n; i++) {
        r += *x;
        pthread_mutex_lock(&other);
        r += *x;
        pthread_mutex_unlock(&other);
    }
    return r;
}
