/* fork. The child gets a copy of the runtime's state as it is at that moment, with one thread: so
 * nobody may be in the middle of changing it.
 *
 * The program's own handlers (pthread_atfork) run first, because they may wait for locks that other
 * threads can only give up while the world goes on: ours is registered before any of theirs, and
 * such handlers run in reverse. By being a handler it also covers fork inside libc (daemon,
 * forkpty). _Fork runs no handlers, nor does clone. vfork's child borrows its parent's memory and
 * stack until it execs: nothing to do. A clone that shares the memory is a thread, if anything, and
 * becomes known when it first does something.
 *
 * After our handler libc's fork waits for the locks of its allocator, with the world stopped.
 * Nobody who holds one waits for the world: no handler of the program runs over the allocator
 * (rt/critical.h), nor over what libc does at a thread's end (rt/intercept/thread.c). An allocator
 * that the program brings takes its locks in handlers of its own, before the world stops.
 */
#include "rt/intercept/intercept.h"
#include "rt/footprint.h"
#include "rt/options.h"

#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <unistd.h>

/* What is pending is the parent's. */
static void before(void) {
    if (__dh_tls.self) dh_footprint_commit(__dh_tls.self);
    dh_world_stop();
}

void dh_fork_intercept_init(void) { pthread_atfork(before, dh_world_go, dh_world_go_in_child); }

INTERCEPT(pid_t, _Fork, (void)) {
    if (!dh_options.enabled) return REAL(_Fork)();
    before();
    pid_t child = REAL(_Fork)();
    if (child == 0)
        dh_world_go_in_child();
    else
        dh_world_go();
    return child;
}

struct cloned {
    int (*function)(void *);
    void *argument;
};

static int run_cloned(void *cloned) {
    struct cloned c = *(struct cloned *)cloned; /* the child's own copy */
    dh_world_go_in_child();
    return c.function(c.argument);
}

INTERCEPT(int, clone, (int (*function)(void *), void *stack, int flags, void *argument, ...)) {
    va_list list;
    va_start(list, argument);
    pid_t *parent_tid = va_arg(list, pid_t *);
    void *tls = va_arg(list, void *);
    pid_t *child_tid = va_arg(list, pid_t *);
    va_end(list);
    if (!dh_options.enabled || flags & CLONE_VM || !function || !stack)
        return REAL(clone)(function, stack, flags, argument, parent_tid, tls, child_tid);
    struct cloned c = {function, argument};
    before();
    int child = REAL(clone)(run_cloned, stack, flags, &c, parent_tid, tls, child_tid);
    dh_world_go();
    return child;
}
