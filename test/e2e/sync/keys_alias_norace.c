/* A key that libc's own name for the making of keys has made, as the libraries of C++ do, when the thread was
 * running already, and above all that it had: its destructor, in all its rounds, is part of the thread that
 * is joined. */
#include "test.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>

int __pthread_key_create(pthread_key_t *key, void (*destructor)(void *));

enum { KEYS = 100 };
static atomic_uint high; /* the number of the last key */
int x;

static void end(void *left) {
    uintptr_t rounds = (uintptr_t)left - 1;
    x++;
    if (rounds > 0) pthread_setspecific(high, (void *)rounds);
}

static void *work(void *unused) {
    step();
    step();
    pthread_setspecific(high, (void *)(uintptr_t)PTHREAD_DESTRUCTOR_ITERATIONS);
    return unused;
}

int main(void) {
    steps(2);
    pthread_t thread = spawn(work, NULL);
    step();
    for (int i = 0; i < KEYS; i++) {
        pthread_key_t key;
        CHECK(__pthread_key_create(&key, end) == 0);
        high = key;
    }
    step();
    join(thread);
    CHECK(x++ == PTHREAD_DESTRUCTOR_ITERATIONS);
    return 0;
}
