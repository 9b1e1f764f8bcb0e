/* C11 threads with a mutex each. */
#include "test.h"

#include <threads.h>

static mtx_t mutexes[2];
int x;

int first(void *unused) {
    (void)unused;
    mtx_lock(&mutexes[0]);
    x = 1;
    mtx_unlock(&mutexes[0]);
    step();
    return 0;
}

int second(void *unused) {
    (void)unused;
    step();
    mtx_lock(&mutexes[1]);
    x = 2;
    mtx_unlock(&mutexes[1]);
    return 0;
}

int main(void) {
    thrd_t a, b;
    steps(2);
    mtx_init(&mutexes[0], mtx_plain);
    mtx_init(&mutexes[1], mtx_plain);
    thrd_create(&a, first, NULL);
    thrd_create(&b, second, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    return 0;
}
