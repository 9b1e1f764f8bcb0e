/* Many fibers, one after the other and together: none is left behind, and a thread may end as one. */
#include "fiber/fibers.h"

enum { OVER_TIME = 500, TOGETHER = 100 };
long shared;

static void turn(void *home, void *fiber) {
    __tsan_switch_to_fiber(fiber, 0);
    shared++;
    __tsan_switch_to_fiber(home, 0);
}

static void *ends_as_fiber(void *fiber) {
    shared++;
    __tsan_switch_to_fiber(fiber, 0);
    shared++;
    return 0;
}

int main(void) {
    void *home = __tsan_get_current_fiber(), *together[TOGETHER];
    for (int i = 0; i < OVER_TIME; i++) {
        void *fiber = __tsan_create_fiber(0);
        turn(home, fiber);
        __tsan_destroy_fiber(fiber);
    }
    for (int i = 0; i < TOGETHER; i++)
        together[i] = __tsan_create_fiber(0);
    for (int i = 0; i < 2 * TOGETHER; i++)
        turn(home, together[i % TOGETHER]);
    void *handed = __tsan_create_fiber(0);
    join(spawn(ends_as_fiber, handed));
    turn(home, handed); /* its last accesses were the fiber's */
    for (int i = 0; i < TOGETHER; i++)
        __tsan_destroy_fiber(together[i]);
    __tsan_destroy_fiber(handed);
    CHECK(shared == OVER_TIME + 2 * TOGETHER + 3);
    return 0;
}
