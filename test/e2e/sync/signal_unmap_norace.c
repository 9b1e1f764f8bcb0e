/* Signals that arrive while a large block goes: they are handled, then and afterwards.
 *
 * Threads take blocks from the same addresses, one after the other, so that none has them to itself and the runtime has to wait
 * for all others when one is given back. In between each thread sends itself a signal, which must have arrived when the
 * call is over. */
#include "test.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>

enum { THREADS = 4, ROUNDS = 1500, SIZE = 1 << 20 };

static _Thread_local volatile long handled;

static void handle(int signal) { handled++; }

static void *work(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        char *block = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED) return "mmap";
        block[i % SIZE] = 1;
        munmap(block, SIZE);
        long before = handled;
        pthread_kill(pthread_self(), SIGUSR1);
        if (handled == before) return "a signal is lost";
    }
    return NULL;
}

int main(void) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
    struct itimerval often = {{0, 200}, {0, 200}};
    setitimer(ITIMER_REAL, &often, NULL);
    pthread_t threads[THREADS];
    for (int t = 0; t < THREADS; t++)
        pthread_create(&threads[t], NULL, work, NULL);
    int failed = 0;
    for (int t = 0; t < THREADS; t++) {
        void *wrong;
        pthread_join(threads[t], &wrong);
        if (wrong) failed = printf("%s\n", (char *)wrong);
    }
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    return failed ? 1 : 0;
}
