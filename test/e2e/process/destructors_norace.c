/* exit while threads are busy, again and again, from main and from other threads: exit handlers, destructors and the
 * threads share what they lock. */
#include "test.h"
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 20 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
long shared;

static void increment(void) {
    pthread_mutex_lock(&mutex);
    shared++;
    pthread_mutex_unlock(&mutex);
}

__attribute__((destructor)) static void destructor(void) { increment(); }

static void *busy(void *unused) {
    for (;;) {
        increment();
        free(malloc(100));
    }
    return unused;
}

static void *ends(void *how) {
    increment();
    if (*(int *)how == 1) exit(0);
    if (*(int *)how == 2) quick_exit(0);
    return 0;
}

static void child(int how) {
    atexit(increment);
    at_quick_exit(increment);
    spawn(busy, 0);
    spawn(busy, 0);
    pthread_t last = spawn(ends, &how);
    if (how == 3) _exit(0);
    join(last);
    exit(0);
}

int main(void) {
    for (int i = 0; i < ROUNDS; i++) {
        pid_t pid = fork();
        CHECK(pid >= 0);
        if (pid == 0) child(i % 4);
        int status;
        CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    }
    return 0;
}
