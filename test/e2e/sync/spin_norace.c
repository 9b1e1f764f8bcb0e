#include "test.h"

#include <errno.h>

enum { ROUNDS = 2000 };

static pthread_spinlock_t lock;
long count;

static void *work(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        if (i % 2)
            CHECK(pthread_spin_lock(&lock) == 0);
        else
            while (pthread_spin_trylock(&lock) == EBUSY)
                ;
        count++;
        pthread_spin_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    run_two(work, work);
    CHECK(count == 2 * ROUNDS);
    pthread_spin_destroy(&lock);
    return 0;
}
