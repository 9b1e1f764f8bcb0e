/* Two spin locks in one machine word are two locks: what one orders is not ordered by the other. */
#include "test.h"

static _Alignas(8) pthread_spinlock_t locks[2];
int x;

static void *first(void *unused) {
    pthread_spin_lock(&locks[0]);
    x = 1;
    pthread_spin_unlock(&locks[0]);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    pthread_spin_lock(&locks[1]);
    x = 2;
    pthread_spin_unlock(&locks[1]);
    return unused;
}

int main(void) {
    for (int i = 0; i < 2; i++)
        CHECK(pthread_spin_init(&locks[i], PTHREAD_PROCESS_PRIVATE) == 0);
    run_two(first, second);
    return 0;
}
