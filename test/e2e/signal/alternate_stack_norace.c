/* Handlers on stacks of their own: nested, left by siglongjmp, after the thread's own stack has overflowed. */
#include "signal/stacks.h"
#include <sys/resource.h>

static _Thread_local sigjmp_buf resume;
static _Thread_local int handled;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int total;

static void jump(int signal) {
    handled += signal == SIGUSR1;
    siglongjmp(resume, 1);
}

static void overflowed(int signal) {
    (void)signal;
    handled++;
    siglongjmp(resume, 2);
}

static int nothing;

__attribute__((noinline)) static int recurse(int depth) {
    char volatile room[4096];
    room[depth % 4096] = (char)depth;
    return recurse(depth + 1) + room[nothing];
}

static void *work(void *overflow) {
    handle_on_own_stack(SIGUSR1, jump);
    for (int volatile i = 0; i < 50; i++)
        if (sigsetjmp(resume, 1) == 0) raise(SIGUSR1);
    CHECK(handled == 50);
    struct sigaction action = {.sa_handler = overflowed, .sa_flags = SA_ONSTACK};
    if (overflow) {
        CHECK(sigaction(SIGSEGV, &action, 0) == 0);
        int jumped = sigsetjmp(resume, 1);
        if (jumped == 0) CHECK(recurse(0) == -1);
        CHECK(jumped == 2 && handled == 51);
    }
    own_stack_off();
    pthread_mutex_lock(&mutex);
    total += handled;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t a = spawn(work, 0), b = spawn(work, &total);
    work(0);
    join(a);
    join(b);
    CHECK(total == 151);
    return 0;
}
