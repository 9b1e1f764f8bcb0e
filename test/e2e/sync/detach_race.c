/* The end of a detached thread is ordered before nothing. */
#include "access/cases.h"

#include <threads.h>

int data, data_c11;

static void *posix(void *unused) {
    data = 1;
    step();
    return unused;
}
static int c11(void *unused) {
    data_c11 = 1;
    step();
    return unused != NULL;
}

int main(void) {
    thrd_t thread;
    steps(2);
    CHECK(pthread_detach(spawn(posix, NULL)) == 0);
    step();
    data = 2;
    CHECK(deadheat_race_count() >= 1);
    CHECK(thrd_create(&thread, c11, NULL) == thrd_success && thrd_detach(thread) == thrd_success);
    step();
    data_c11 = 2;
    CHECK(deadheat_race_count() >= 2);
    return 0;
}
