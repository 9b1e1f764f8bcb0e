/* A destructor of C11's thread-specific data that nobody waited for. */
#include "test.h"

#include <threads.h>

static tss_t key;
int x;

static void end(void *unused) {
    (void)unused;
    x = 1;
    step();
}

static int work(void *unused) {
    (void)unused;
    return tss_set(key, &x);
}

int main(void) {
    thrd_t thread;
    steps(2);
    CHECK(tss_create(&key, end) == thrd_success && thrd_create(&thread, work, NULL) == thrd_success);
    step();
    x = 2;
    CHECK(thrd_join(thread, NULL) == thrd_success);
    return 0;
}
