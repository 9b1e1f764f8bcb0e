#include "rt/fibers.h"
#include "rt/options.h"
#include "rt/state.h"

#define EXPORT __attribute__((visibility("default")))

enum { NO_SYNC = 1 }; /* __tsan_switch_to_fiber_no_sync */

/* What the running thread of the system's was before it first ran a fiber; null: it never has. */
static _Thread_local struct dh_thread *home;

/* Null while checking is off, here and below. */
EXPORT void *__tsan_get_current_fiber(void) { return dh_options.enabled ? dh_self() : 0; }

/* The fiber knows what its creator knows now. */
EXPORT void *__tsan_create_fiber(unsigned flags) {
    (void)flags;
    struct dh_thread *fiber = dh_thread_create(DH_HERE);
    if (fiber) fiber->fiber = true;
    return fiber;
}

/* Orders nothing: who destroys a fiber has switched away from it, and been switched to. */
EXPORT void __tsan_destroy_fiber(void *fiber) {
    if (!fiber || fiber == __dh_tls.self) return;
    dh_sync_gone(fiber);
    dh_thread_fiber_end(fiber);
}

/* The fiber's own state stands for the object through which the switch synchronises. */
EXPORT void __tsan_switch_to_fiber(void *fiber, unsigned flags) {
    struct dh_thread *self = __dh_tls.self, *to = fiber;
    if (!to || !self || to == self || to->life == DH_FINISHED) return;
    if (!home) home = self;
    self->fiber = true;
    if (!(flags & NO_SYNC)) dh_release_join(to);
    dh_thread_switch(to);
    if (!(flags & NO_SYNC)) dh_acquire(to);
}

EXPORT void __tsan_set_fiber_name(void *fiber, char const *name) {
    dh_thread_set_name(fiber, name);
}

void dh_fiber_go_home(void) {
    if (!home || home == __dh_tls.self || home->life == DH_FINISHED) return;
    dh_thread_switch(home);
}
