/* Writers exclude everybody, readers exclude writers; by every way to lock. */
// FLAGS: -D_GNU_SOURCE
#include "test.h"

#include <errno.h>
#include <time.h>

enum { ROUNDS = 2000 };

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
long count, seen;

static struct timespec in_a_minute(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_sec += 60;
    return t;
}

static void lock_to_write(int way) {
    struct timespec until = in_a_minute(way % 4 == 3 ? CLOCK_MONOTONIC : CLOCK_REALTIME);
    switch (way % 4) {
    case 0: CHECK(pthread_rwlock_wrlock(&lock) == 0); break;
    case 1:
        while (pthread_rwlock_trywrlock(&lock) == EBUSY)
            ;
        break;
    case 2: CHECK(pthread_rwlock_timedwrlock(&lock, &until) == 0); break;
    case 3: CHECK(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &until) == 0);
    }
}

static void lock_to_read(int way) {
    struct timespec until = in_a_minute(way % 4 == 3 ? CLOCK_MONOTONIC : CLOCK_REALTIME);
    switch (way % 4) {
    case 0: CHECK(pthread_rwlock_rdlock(&lock) == 0); break;
    case 1:
        while (pthread_rwlock_tryrdlock(&lock) == EBUSY)
            ;
        break;
    case 2: CHECK(pthread_rwlock_timedrdlock(&lock, &until) == 0); break;
    case 3: CHECK(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &until) == 0);
    }
}

static void *writer(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        lock_to_write(i);
        count++;
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

static void *reader(void *unused) {
    long last = 0;
    for (int i = 0; i < ROUNDS; i++) {
        lock_to_read(i);
        CHECK(count >= last);
        last = count;
        if (i % 2) CHECK(pthread_rwlock_rdlock(&lock) == 0); /* twice */
        CHECK(count == last);
        if (i % 2) pthread_rwlock_unlock(&lock);
        pthread_rwlock_unlock(&lock);
    }
    lock_to_write(0);
    seen += last;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        threads[i] = spawn(i % 2 ? reader : writer, NULL);
    for (int i = 0; i < 4; i++)
        join(threads[i]);
    CHECK(count == 2 * ROUNDS);
    CHECK(pthread_rwlock_destroy(&lock) == 0);
    return 0;
}
