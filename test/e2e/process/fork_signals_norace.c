/* Processes are forked while other threads are in the allocator and signals arrive there all the time. fork waits for
 * the allocator's locks, and a handler's accesses for fork: nobody may wait in a circle.
 * LEVELS: -O2
 */
#include "test.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 3, FORKS = 50 };

static pthread_t threads[THREADS];
static atomic_int over, handled;
static _Thread_local volatile long own;
static _Thread_local void *volatile block; /* so that the optimiser leaves all of them */

static void handle(int signal) {
    atomic_fetch_add_explicit(&handled, 1, memory_order_relaxed);
    own += signal;
}

/* Blocks that are too large for a thread's own cache. */
static void *allocate(void *argument) {
    size_t size = 2000;
    while (!atomic_load_explicit(&over, memory_order_relaxed)) {
        block = malloc(size);
        free(block);
        size = 2000 + size * 7 % 5000;
        block = realloc(calloc(1, size), size + 3000);
        free(block);
    }
    return argument;
}

static void *disturb(void *argument) {
    while (!atomic_load_explicit(&over, memory_order_relaxed))
        for (int i = 0; i < THREADS; i++)
            pthread_kill(threads[i], SIGUSR1);
    return argument;
}

int main(void) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    for (int i = 0; i < THREADS; i++)
        threads[i] = spawn(allocate, NULL);
    pthread_t disturber = spawn(disturb, NULL);
    for (int i = 0; i < FORKS; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) _exit(0);
        int status;
        while (waitpid(child, &status, 0) < 0) {}
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    atomic_store_explicit(&over, 1, memory_order_relaxed);
    join(disturber);
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
    CHECK(handled > 0);
    return 0;
}
