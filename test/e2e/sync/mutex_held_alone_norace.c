/* Locked while the process had one thread, unlocked when it has two. */
#include "test.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_mutex_lock(&mutex);
    pthread_t thread = spawn(work, NULL);
    x++;
    pthread_mutex_unlock(&mutex);
    join(thread);
    return 0;
}
