/* Other programs are started, in all ways, while threads are busy. */
#include "process/spawned.h"

enum { ROUNDS = 10 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int stop;
long counter;

static void *busy(void *unused) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        counter++;
        int ends = stop;
        pthread_mutex_unlock(&mutex);
        free(malloc(100));
        if (ends) return unused;
    }
}

int main(void) {
    pthread_t a = spawn(busy, 0), b = spawn(busy, 0);
    for (int i = 0; i < ROUNDS; i++) {
        by_vfork();
        by_posix_spawn();
        by_fork();
        by_libc();
    }
    pthread_mutex_lock(&mutex);
    stop = 1;
    pthread_mutex_unlock(&mutex);
    join(a);
    join(b);
    return 0;
}
