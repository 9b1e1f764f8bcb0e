/* Whoever comes back from pthread_once sees what the routine did; also when calls are nested. */
#include "test.h"

enum { THREADS = 8 };

static pthread_once_t once = PTHREAD_ONCE_INIT, inner = PTHREAD_ONCE_INIT;
int x, y;

static void make_inner(void) { y = 1; }

static void make(void) {
    pthread_once(&inner, make_inner);
    x = y + 1;
}

static void *work(void *unused) {
    step();
    pthread_once(&once, make);
    CHECK(x == 2);
    pthread_once(&inner, make_inner);
    CHECK(y == 1);
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    steps(THREADS);
    for (int i = 0; i < THREADS; i++)
        threads[i] = spawn(work, NULL);
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
    return 0;
}
