/* Destructors of thread-specific data, of keys that the program got when the thread was running already, and more
 * than libc has room for in its descriptor of a thread: in all their rounds they are part of the thread that
 * is joined. And of all keys that there are the program gets all but a few. */
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
    x++;
    if (rounds > 0) pthread_setspecific(high, (void *)rounds);
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
    join(thread);
    CHECK(x++ == PTHREAD_DESTRUCTOR_ITERATIONS);
    pthread_key_t key;
    int count = 2 * KEYS;
    while (pthread_key_create(&key, end) == 0)
        count++;
    CHECK(count > PTHREAD_KEYS_MAX - 16 && count < PTHREAD_KEYS_MAX);
    thread = spawn(work, NULL);
    high = key;
    step();
    step();
    join(thread);
    CHECK(x == 2 * PTHREAD_DESTRUCTOR_ITERATIONS + 1);
    return 0;
}
