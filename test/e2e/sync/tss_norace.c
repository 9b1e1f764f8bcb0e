/* Destructors of C11's thread-specific data, in every round, are part of the thread that is joined. */
#include "test.h"

#include <threads.h>

static tss_t key;
int rounds;

static void end(void *left) {
    rounds++;
    if (left > (void *)1) CHECK(tss_set(key, (char *)left - 1) == thrd_success);
}

static int work(void *unused) {
    (void)unused;
    CHECK(tss_set(key, (void *)TSS_DTOR_ITERATIONS) == thrd_success && tss_get(key));
    thrd_exit(3);
}

int main(void) {
    thrd_t thread;
    int result;
    CHECK(tss_create(&key, end) == thrd_success && thrd_create(&thread, work, NULL) == thrd_success);
    CHECK(thrd_join(thread, &result) == thrd_success && result == 3);
    CHECK(rounds == TSS_DTOR_ITERATIONS);
    tss_delete(key);
    return 0;
}
