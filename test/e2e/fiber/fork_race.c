/* A fork in a fiber: in the child the other fibers live on, and are told apart. */
/* EXPECT: by thread T1 */
/* EXPECT: by thread T2 */
/* EXPECT: Location is global 'shared' */
#include "fiber/fibers.h"
#include <sys/wait.h>
#include <unistd.h>

int shared;
static struct fiber home, fibers[2];
static pid_t child;

static void forks(void) {
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        shared = 1;
        fiber_switch(&fibers[0], &fibers[1], __tsan_switch_to_fiber_no_sync);
    }
    fiber_switch(&fibers[0], &home, 0);
    abort();
}

static void sets(void) {
    shared = 2;
    fiber_switch(&fibers[1], &home, 0);
    abort();
}

int main(void) {
    fiber_adopt(&home);
    fiber_make(&fibers[0], forks);
    fiber_make(&fibers[1], sets);
    fiber_switch(&home, &fibers[0], 0);
    if (child == 0) return 0;
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}
