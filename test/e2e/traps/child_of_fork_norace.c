/* fork while other threads are busy in the runtime; the child goes on being checked, alone and with threads
 * of its own. What the parent's threads did is history to it. */
#include "test.h"

#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORKS = 30 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int stop;
long counter, parents;

static void *busy(void *unused) {
    while (!atomic_load(&stop)) {
        pthread_mutex_lock(&mutex);
        counter++;
        parents++;
        pthread_mutex_unlock(&mutex);
        free(malloc(64));
    }
    return unused;
}

static void *count(void *unused) {
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&mutex);
        counter++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

/* Handlers that wait for a lock which other threads hold now and then. */
static void before(void) { pthread_mutex_lock(&mutex); }
static void after(void) { pthread_mutex_unlock(&mutex); }

static int child(void) {
    parents++; /* nobody else is here */
    run_two(count, count);
    return 0;
}

int main(void) {
    pthread_atfork(before, after, after);
    pthread_t a = spawn(busy, NULL), b = spawn(busy, NULL);
    for (int i = 0; i < FORKS; i++) {
        pid_t pid = fork();
        CHECK(pid >= 0);
        if (pid == 0) exit(child());
        int status;
        CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    atomic_store(&stop, 1);
    join(a);
    join(b);
    return 0;
}
