/* Creation orders what the creator did before, not what it does after. */
#include "test.h"

int x;

static void *work(void *unused) {
    step();
    x = 1;
    return unused;
}

int main(void) {
    steps(2);
    pthread_t thread = spawn(work, NULL);
    x = 2;
    step();
    join(thread);
    return 0;
}
