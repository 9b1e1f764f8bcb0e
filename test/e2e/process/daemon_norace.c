/* A daemon without a race, made while another thread works on the same memory in the parent. */
#include "process/daemon.h"

long shared, handled;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int stop;

static void *count(void *unused) {
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&mutex);
        shared++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void before(void) { pthread_mutex_lock(&mutex); }
static void after(void) {
    handled++;
    pthread_mutex_unlock(&mutex);
}

static void work(void) {
    shared++;
    run_two(count, count);
}

static void *busy(void *unused) {
    for (int ends = 0; !ends;) {
        pthread_mutex_lock(&mutex);
        shared++;
        ends = stop;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_atfork(before, after, after);
    pthread_t other = spawn(busy, 0);
    int status = as_daemon(work);
    pthread_mutex_lock(&mutex);
    stop = 1;
    pthread_mutex_unlock(&mutex);
    join(other);
    return status;
}
