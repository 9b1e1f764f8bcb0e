/* The same, again and again, with other threads in the middle of things. */
#include "test.h"
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
long shared;

static void *busy(void *unused) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        shared++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(int argc, char **argv) {
    int round = argc > 1 ? atoi(argv[1]) : 0;
    if (round == 10) return 0;
    char next[16];
    snprintf(next, sizeof next, "%d", round + 1);
    spawn(busy, 0);
    spawn(busy, 0);
    pthread_mutex_lock(&mutex);
    shared++;
    pthread_mutex_unlock(&mutex);
    execl("/proc/self/exe", argv[0], next, (char *)0);
    return 1;
}
