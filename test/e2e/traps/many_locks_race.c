/* Two thousand mutexes held at once, but not the one that matters. */
#include "many_locks.h"

enum { MISSING = 1777 };
int x;

static void *first(void *unused) {
    pthread_mutex_lock(&locks[MISSING]);
    x = 1;
    pthread_mutex_unlock(&locks[MISSING]);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    lock_all(MISSING);
    x = 2;
    unlock_all(MISSING);
    return unused;
}

int main(void) {
    make_all();
    run_two(first, second);
    return 0;
}
