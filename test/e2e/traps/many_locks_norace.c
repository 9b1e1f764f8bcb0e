/* Two thousand mutexes held at once, and each of them counts. */
#include "many_locks.h"

int under[LOCKS];

static void *together(void *unused) {
    lock_all(-1);
    for (int i = 0; i < LOCKS; i++)
        under[i]++;
    unlock_all(-1);
    return unused;
}

static void *one_by_one(void *unused) {
    for (int i = LOCKS - 1; i >= 0; i--) {
        pthread_mutex_lock(&locks[i]);
        under[i]++;
        pthread_mutex_unlock(&locks[i]);
    }
    return unused;
}

int main(void) {
    make_all();
    run_two(together, one_by_one);
    for (int i = 0; i < LOCKS; i++)
        CHECK(under[i] == 2);
    return 0;
}
