/* FLAGS: -D_GNU_SOURCE
 * LEVELS: -O2 */
#include "process/clone.h"

static void *nothing(void *unused) { return unused; }

static int work(void *counter) {
    CHECK(counter == &busy);
    for (int i = 0; i < 100; i++) {
        atomic_fetch_add(&busy, 1);
        free(malloc(50));
    }
    join(spawn(nothing, NULL));
    return 3;
}

/* What shares the memory is not another process. */
static int shared = 1;
static int borrow(void *unused) {
    shared++;
    return unused != NULL;
}

int main(void) {
    pthread_t other = spawn(keep_busy, NULL);
    for (int i = 0; i < 50; i++)
        CHECK(in_clone(work) == 3);
    atomic_store(&over, 1);
    join(other);

    static _Alignas(16) char stack[1 << 18];
    pid_t child = clone(borrow, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
    int status;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    CHECK(shared == 2);
    return 0;
}
