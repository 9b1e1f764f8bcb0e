/* A race is found and reported near the end of the main thread's stack. */
/* FLAGS: -D_GNU_SOURCE */
/* EXPECT: #0 bottom */
/* EXPECT: #1 deep */
/* EXPECT: 1 race reported */
#include "stack/limit.h"

int shared;

static void *set(void *unused) {
    shared = 1;
    step();
    return unused;
}

static __attribute__((noinline)) void bottom(void) { shared = 2; }

int main(int argc, char **argv) {
    limit_stack(argc, argv);
    steps(2);
    pthread_t thread = spawn(set, 0);
    step();
    CHECK(deep(bottom) > 100);
    join(thread);
    return 0;
}
