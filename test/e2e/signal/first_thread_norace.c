/* A handler may run at any moment of what happens when a process gets its second thread. */
#include "test.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

atomic_long ticks;

static void tick(int signal) {
    (void)signal;
    atomic_fetch_add(&ticks, 1);
}

static void *nothing(void *unused) { return unused; }

int main(void) {
    struct itimerval const often = {{0, 20}, {0, 20}}, never = {0};
    signal(SIGALRM, tick);
    for (int i = 0; i < 50; i++) {
        pid_t pid = fork();
        if (pid == 0) { /* alone again */
            setitimer(ITIMER_REAL, &often, NULL);
            join(spawn(nothing, NULL));
            setitimer(ITIMER_REAL, &never, NULL);
            exit(0);
        }
        int status;
        CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
    }
    return 0;
}
