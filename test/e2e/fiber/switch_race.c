/* Two fibers of one thread that switch without order are two threads to the detector: the program
 * says that they might have run side by side. */
/* EXPECT: Location is global 'shared' */
/* EXPECT: by thread T1 'first' */
/* EXPECT: by thread T2 'second' */
/* EXPECT: #1 routine_0 */
/* EXPECT: #1 routine_1 */
/* EXPECT: Thread T1 'first' .*created by main thread */
/* EXPECT: 1 race reported */
/* REJECT: #2 main|more frames */
#include "fiber/fibers.h"

int shared;
static struct fiber home, fibers[2];

__attribute__((noinline)) static void set(void) { shared = 1; }

static void routine_0(void) {
    set();
    fiber_switch(&fibers[0], &home, __tsan_switch_to_fiber_no_sync);
    abort();
}

static void routine_1(void) {
    set();
    fiber_switch(&fibers[1], &home, __tsan_switch_to_fiber_no_sync);
    abort();
}

int main(void) {
    fiber_adopt(&home);
    fiber_make(&fibers[0], routine_0);
    fiber_make(&fibers[1], routine_1);
    __tsan_set_fiber_name(fibers[0].known, "first");
    __tsan_set_fiber_name(fibers[1].known, "second");
    fiber_switch(&home, &fibers[0], __tsan_switch_to_fiber_no_sync);
    fiber_switch(&home, &fibers[1], __tsan_switch_to_fiber_no_sync);
    CHECK(__tsan_get_current_fiber() == home.known);
    return 0;
}
