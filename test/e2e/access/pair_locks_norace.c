/* Two ints in one machine word, each under a lock of its own, used by all threads in every order. */
#include "test.h"

enum { THREADS = 4, ROUNDS = 5000 };

static struct {
    _Alignas(8) int a;
    int b;
} pair;
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *work(void *number) {
    for (long i = 0; i < ROUNDS; i++) {
        int which = (i / 3 + (long)number) % 2;
        pthread_mutex_lock(&locks[which]);
        if (which)
            pair.b++;
        else
            pair.a++;
        pthread_mutex_unlock(&locks[which]);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        threads[i] = spawn(work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
    CHECK(pair.a + pair.b == THREADS * ROUNDS);
    return 0;
}
