/* A join that timed out orders nothing. */
// FLAGS: -D_GNU_SOURCE
#include "test.h"

#include <errno.h>
#include <time.h>

int x;

static void *work(void *unused) {
    x = 1;
    step();
    step();
    return unused;
}

int main(void) {
    steps(2);
    pthread_t thread = spawn(work, NULL);
    step();
    struct timespec past = {0, 0};
    CHECK(pthread_tryjoin_np(thread, NULL) == EBUSY);
    CHECK(pthread_timedjoin_np(thread, NULL, &past) == ETIMEDOUT);
    x = 2;
    step();
    join(thread);
    return 0;
}
