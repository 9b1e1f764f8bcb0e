/* The waits that name their clock order nothing when time runs out. */
// FLAGS: -D_GNU_SOURCE
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "access/cases.h"

#include <errno.h>
#include <semaphore.h>
#include <time.h>

static struct timespec const past = {0, 0};
static sem_t semaphore, never;
static pthread_rwlock_t locks[2] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int a, b, c, d, e;
static pthread_t alive;

static void post(void) {
    a = 1;
    sem_post(&semaphore);
}
static void wait_in_vain(void) {
    CHECK(sem_clockwait(&never, CLOCK_MONOTONIC, &past) == -1 && errno == ETIMEDOUT);
    a = 2;
}
/* Each is left locked. */
static void write_locked(void) {
    b = 1;
    pthread_rwlock_wrlock(&locks[0]);
    pthread_rwlock_unlock(&locks[0]);
    pthread_rwlock_wrlock(&locks[0]);
}
static void write_in_vain(void) {
    CHECK(pthread_rwlock_clockwrlock(&locks[0], CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    b = 2;
}
static void read_locked(void) {
    c = 1;
    pthread_rwlock_wrlock(&locks[1]);
    pthread_rwlock_unlock(&locks[1]);
    pthread_rwlock_wrlock(&locks[1]);
}
static void read_in_vain(void) {
    CHECK(pthread_rwlock_clockrdlock(&locks[1], CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    c = 2;
}
static void mutex_locked(void) {
    d = 1;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
}
static void lock_in_vain(void) {
    CHECK(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    d = 2;
}
static unsigned volatile written;
static void *child(void *unused) {
    e = 1;
    __tsan_testonly_barrier_wait(&written);
    sem_wait(&never);
    return unused;
}
static void create(void) {
    alive = spawn(child, NULL);
    __tsan_testonly_barrier_wait(&written);
    deadheat_release(&alive);
}
static void join_in_vain(void) {
    deadheat_acquire(&alive);
    CHECK(pthread_clockjoin_np(alive, NULL, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    e = 2;
    sem_post(&never);
}

static struct case_pair const pairs[] = {
    {"sem_clockwait", post, wait_in_vain},
    {"pthread_rwlock_clockwrlock", write_locked, write_in_vain},
    {"pthread_rwlock_clockrdlock", read_locked, read_in_vain},
    {"pthread_mutex_clocklock", mutex_locked, lock_in_vain},
    {"pthread_clockjoin_np", create, join_in_vain},
};

int main(void) {
    CHECK(sem_init(&semaphore, 0, 0) == 0 && sem_init(&never, 0, 0) == 0);
    __tsan_testonly_barrier_init(&written, 2);
    CASES_RUN(pairs, 1);
    return 0;
}
