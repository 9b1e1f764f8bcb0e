/* A handler's accesses are its thread's own: no race with what it interrupted. Under a storm of signals,
 * with every kind of handler, none gets lost and none runs twice. */
// FLAGS: -D_GNU_SOURCE
#include "test.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { SIGNALS = 2000, QUEUED = 500 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int arrived, nested, on_other_stack, stop;
int volatile handled, work_done;
static char other_stack[64 * 1024];

static void count(int signal) {
    CHECK(signal == SIGUSR1);
    handled++;
    atomic_fetch_add(&arrived, 1);
}

static void count_info(int signal, siginfo_t *info, void *context) {
    CHECK(signal == SIGRTMIN && info->si_code == SI_QUEUE && context);
    char here;
    if (&here >= other_stack && &here < other_stack + sizeof other_stack)
        atomic_fetch_add(&on_other_stack, 1);
    atomic_fetch_add(&nested, 1);
}

static void *target(void *unused) {
    stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
    CHECK(sigaltstack(&stack, NULL) == 0);
    step();
    while (!atomic_load(&stop)) {
        pthread_mutex_lock(&mutex);
        work_done++;
        pthread_mutex_unlock(&mutex);
        free(malloc(100));
    }
    return unused;
}

static void storm(pthread_t thread) {
    union sigval value;
    for (int i = 0; i < SIGNALS; i++) {
        CHECK(pthread_kill(thread, SIGUSR1) == 0);
        value.sival_int = i;
        if (i < QUEUED) CHECK(pthread_sigqueue(thread, SIGRTMIN, value) == 0);
        while (atomic_load(&arrived) <= i) /* it must come, whatever the thread is doing */
            sched_yield();
    }
    while (atomic_load(&nested) < QUEUED)
        sched_yield();
}

int main(void) {
    struct sigaction action = {.sa_handler = count, .sa_flags = SA_RESTART}, old;
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    action.sa_sigaction = count_info;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    CHECK(sigaction(SIGRTMIN, &action, NULL) == 0);
    CHECK(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == count && old.sa_flags & SA_RESTART);
    CHECK(sigaction(SIGUSR2, NULL, &old) == 0 && old.sa_handler == SIG_DFL);

    steps(2);
    pthread_t thread = spawn(target, NULL);
    step();
    storm(thread);
    atomic_store(&stop, 1);
    join(thread);
    CHECK(handled == SIGNALS && nested == QUEUED && on_other_stack == QUEUED && work_done > 0);
    return 0;
}
