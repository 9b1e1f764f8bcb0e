/* After a longjmp the stack of a race is that of the place jumped to, without what was left. */
/* EXPECT: #0 work .*jumps_race.c */
/* EXPECT: 1 race reported */
/* REJECT: dive */
#include "test.h"
#include <setjmp.h>

int shared;

__attribute__((noinline)) static void dive(jmp_buf back, int depth) {
    int volatile own = depth;
    if (own == 0) longjmp(back, 1);
    dive(back, depth - 1);
    own = 0;
}

static void *work(void *late) {
    jmp_buf back;
    if (late) step();
    if (setjmp(back) == 0) dive(back, 50);
    shared = 1;
    if (!late) step();
    return 0;
}

int main(void) {
    steps(2);
    pthread_t a = spawn(work, 0), b = spawn(work, &shared);
    join(a);
    join(b);
    return 0;
}
