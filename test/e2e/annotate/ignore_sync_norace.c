/* After the region synchronisation counts again, and a lock taken inside it can be given back. */
#include "annotate/annotations.h"

int shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused) {
    AnnotateIgnoreSyncBegin(HERE);
    pthread_mutex_lock(&mutex);
    AnnotateIgnoreSyncEnd(HERE);
    shared = 1;
    pthread_mutex_unlock(&mutex);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    pthread_mutex_lock(&mutex);
    shared++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
