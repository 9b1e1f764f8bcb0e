/* A thread made in a fiber is joined as itself, and joining it orders nothing that its creator's thread does. */
/* EXPECT: Location is global 'shared' */
/* EXPECT: by main thread */
/* EXPECT: 1 race reported */
#include "fiber/fibers.h"

int shared;
static struct fiber home, fiber;
static pthread_t outer;

static void *nothing(void *unused) { return unused; }

static void routine(void) {
    join(spawn(nothing, 0));
    shared = 1;
    fiber_switch(&fiber, &home, __tsan_switch_to_fiber_no_sync);
    abort();
}

static void *work(void *unused) {
    fiber_adopt(&home);
    fiber_make(&fiber, routine);
    fiber_switch(&home, &fiber, __tsan_switch_to_fiber_no_sync);
    return unused;
}

int main(void) {
    outer = spawn(work, 0);
    join(outer); /* of the thread, not of its fiber */
    shared = 2;
    return 0;
}
