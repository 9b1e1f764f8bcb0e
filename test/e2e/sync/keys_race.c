/* Destructors of thread-specific data, of keys that the program got when the thread was running already, and more
 * than libc has room for in its descriptor of a thread: in the last of their rounds, and nobody waited. */
#include "test.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <threads.h>

enum { KEYS = 200 };
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

static void make_keys(void) {
    for (int i = 0; i < KEYS; i++) {
        pthread_key_t key;
        tss_t other;
        CHECK(pthread_key_create(&key, end) == 0 && tss_create(&other, NULL) == thrd_success);
        high = key;
    }
}

int main(void) {
    steps(2);
    pthread_t thread = spawn(work, NULL);
    step();
    make_keys();
    step();
    step();
    x = 2;
    join(thread);
    return 0;
}
