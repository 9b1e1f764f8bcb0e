/* A thread that has ended, but was not joined. */
#include "test.h"

int x;

static void *work(void *unused) {
    x = 1;
    step();
    return unused;
}

int main(void) {
    steps(2);
    pthread_t thread = spawn(work, NULL);
    step();
    x = 2;
    join(thread);
    return 0;
}
