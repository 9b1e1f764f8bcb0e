/* Locks, memory and signals near the end of the main thread's stack. */
/* FLAGS: -D_GNU_SOURCE */
#include "stack/limit.h"
#include <signal.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void handler(int signal) { (void)signal; }

static void *set(void *unused) {
    pthread_mutex_lock(&mutex);
    shared++;
    pthread_mutex_unlock(&mutex);
    step();
    return unused;
}

static __attribute__((noinline)) void bottom(void) {
    set(0);
    char *block = malloc(100000);
    memset(block, 1, 100000);
    free(block);
    raise(SIGUSR1);
    char line[32];
    snprintf(line, sizeof line, "%d", 12345);
    CHECK(strcmp(line, "12345") == 0);
}

int main(int argc, char **argv) {
    limit_stack(argc, argv);
    signal(SIGUSR1, handler);
    steps(2);
    pthread_t thread = spawn(set, 0);
    CHECK(deep(bottom) > 100);
    join(thread);
    return 0;
}
