/* The same, with switches that order. */
#include "fiber/fibers.h"

int shared;
static struct fiber home, fiber;
static pthread_t outer;

static void *nothing(void *unused) { return unused; }

static void routine(void) {
    join(spawn(nothing, 0));
    shared = 1;
    fiber_switch(&fiber, &home, 0);
    abort();
}

static void *work(void *unused) {
    fiber_adopt(&home);
    fiber_make(&fiber, routine);
    fiber_switch(&home, &fiber, 0);
    return unused;
}

int main(void) {
    outer = spawn(work, 0);
    join(outer); /* of the thread, not of its fiber */
    shared = 2;
    return 0;
}
