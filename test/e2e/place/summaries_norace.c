/* The same, with all of it ordered: behind it, and in the middle by a lock that the other takes, too (summaries.h). */
#include "summaries.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static APART void middle(int i) {
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&released[i], 1);
    pthread_mutex_lock(&lock);
}

static void *work(void *i) {
    pthread_mutex_lock(&lock);
    run_case(*(int *)i);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    for (int i = 0; i < CASES; i++) {
        pthread_t a = spawn(work, &i), b = spawn(work, &i);
        join(a);
        join(b);
    }
    return 0;
}
