/* Synchronisation that is ignored orders nothing: a mutex, an atomic, an annotation; what is held is
 * still right in the report. */
/* EXPECT: Location is global 'by_mutex' */
/* EXPECT: Location is global 'by_atomic' */
/* EXPECT: Location is global 'by_event' */
/* EXPECT: 3 races reported */
#include "annotate/annotations.h"

int by_mutex, by_atomic, by_event;
static int flag;
static char event;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused) {
    pthread_mutex_lock(&mutex);
    by_mutex = by_atomic = by_event = 1;
    AnnotateIgnoreSyncBegin(HERE);
    pthread_mutex_unlock(&mutex);
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    AnnotateHappensBefore(HERE, &event);
    AnnotateIgnoreSyncEnd(HERE);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    pthread_mutex_lock(&mutex);
    by_mutex = 2;
    pthread_mutex_unlock(&mutex);
    CHECK(__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 1);
    by_atomic = 2;
    AnnotateHappensAfter(HERE, &event);
    by_event = 2;
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
