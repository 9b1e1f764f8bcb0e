/* A switch orders what was done before it before what the other fiber does next; and a fiber that goes on
 * in another thread takes what it knows, and its locks, along. */
#include "fiber/fibers.h"

int shared, locked;
static struct fiber home, other_home, fibers[2];
static struct fiber *back = &home;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t handover = PTHREAD_MUTEX_INITIALIZER;

static void routine(void) {
    struct fiber *self = &fibers[shared % 2];
    for (int i = 0; i < 3; i++) {
        shared++;
        fiber_switch(self, back, 0);
    }
    shared++;
    fiber_switch(self, back, 0);
}

static void *elsewhere(void *unused) {
    fiber_adopt(&other_home);
    pthread_mutex_lock(&handover);
    back = &other_home;
    fiber_switch(&other_home, &fibers[1], 0);
    CHECK(shared == 8);
    pthread_mutex_unlock(&handover);
    pthread_mutex_lock(&mutex);
    locked++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    fiber_adopt(&home);
    for (int i = 0; i < 2; i++) {
        shared = i;
        fiber_make(&fibers[i], routine);
        __tsan_set_fiber_name(fibers[i].known, i ? "second" : "first");
        fiber_switch(&home, &fibers[i], 0);
    }
    shared = 0;
    pthread_mutex_lock(&handover);
    for (int i = 0; i < 5; i++) {
        shared++;
        fiber_switch(&home, &fibers[i % 2], 0);
    }
    CHECK(shared == 10);
    shared = 7;
    pthread_t thread = spawn(elsewhere, 0);
    pthread_mutex_lock(&mutex);
    locked++;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&handover);
    join(thread);
    for (int i = 0; i < 2; i++)
        __tsan_destroy_fiber(fibers[i].known);
    CHECK(shared == 8 && locked == 2);
    return 0;
}
