/* A race is found, and its report made, on the smallest stack that there is. */
/* EXPECT: Location is global 'shared' */
/* EXPECT: #0 set .*small_race.c */
/* EXPECT: 1 race reported */
#include "stack/small.h"

int shared;

static void *set(void *late) {
    if (late) step();
    shared = 1;
    if (!late) step();
    return 0;
}

int main(void) {
    steps(2);
    pthread_t a = spawn_small(set, 0), b = spawn_small(set, &shared);
    join(a);
    join(b);
    return 0;
}
