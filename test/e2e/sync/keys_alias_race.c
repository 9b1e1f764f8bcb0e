/* A key that libc's own name for the making of keys has made, as the libraries of C++ do, when the thread was
 * running already, and above all that it had: its destructor, in the last of its rounds, is the program's
 * code, and nobody waited. */
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
    if (rounds > 0) {
        pthread_setspecific(high, (void *)rounds);
        return;
    }
    x = 1;
    step();
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
    step();
    x = 2;
    join(thread);
    return 0;
}
