/* Locks, conditions, memory, signals and what is recorded of accesses all fit on the smallest stack that there is. */
#include "stack/small.h"
#include <signal.h>
#include <string.h>

enum { ROUNDS = 50 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int turn, total[100];

static void handler(int signal) { (void)signal; }

static void *work(void *own) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        while (turn != (own == 0))
            pthread_cond_wait(&changed, &mutex);
        turn = own != 0;
        for (int j = 0; j < 100; j++)
            total[j]++;
        char *block = malloc(100000);
        memset(block, 1, 100000);
        free(block);
        raise(SIGUSR1);
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    signal(SIGUSR1, handler);
    pthread_t a = spawn_small(work, 0), b = spawn_small(work, &total);
    join(a);
    join(b);
    CHECK(total[0] == 2 * ROUNDS);
    return 0;
}
