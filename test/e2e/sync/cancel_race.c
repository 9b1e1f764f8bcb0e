/* What a cancelled thread does in its cleanup handlers is ordered by its join, not by pthread_cancel. */
#include "test.h"

#include <unistd.h>

int x;

static void cleanup(void *unused) {
    (void)unused;
    x = 1;
    step();
}

static void *work(void *unused) {
    pthread_cleanup_push(cleanup, NULL);
    for (;;)
        pause();
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    steps(2);
    pthread_t thread = spawn(work, NULL);
    CHECK(pthread_cancel(thread) == 0);
    step();
    x = 2;
    join(thread);
    return 0;
}
