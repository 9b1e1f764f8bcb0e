/* Processes are forked while other threads begin and end. Whatever those are doing in the runtime, the child must find it
 * undisturbed: its first accesses, allocations and threads would wait for ever.
 * LEVELS: -O2
 */
#include "test.h"

#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAKERS = 3, AT_ONCE = 20, FORKS = 300 };

static atomic_int over;

static void *nothing(void *unused) { return unused; }

static void *make(void *unused) {
    while (!atomic_load_explicit(&over, memory_order_relaxed)) {
        pthread_t threads[AT_ONCE];
        for (int i = 0; i < AT_ONCE; i++)
            threads[i] = spawn(nothing, NULL);
        for (int i = 0; i < AT_ONCE; i++)
            join(threads[i]);
    }
    return unused;
}

static void fork_one(void) {
    _Atomic long *block = calloc(2, sizeof *block);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        atomic_fetch_add(block + 1, 1);
        join(spawn(nothing, NULL));
        free(block);
        exit(0);
    }
    int status;
    while (waitpid(child, &status, 0) < 0) {}
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    free(block);
}

int main(void) {
    pthread_t makers[MAKERS];
    for (int i = 0; i < MAKERS; i++)
        makers[i] = spawn(make, NULL);
    for (int i = 0; i < FORKS; i++)
        fork_one();
    atomic_store_explicit(&over, 1, memory_order_relaxed);
    for (int i = 0; i < MAKERS; i++)
        join(makers[i]);
    return 0;
}
