/* The waits that name their clock order as their sisters do. */
// FLAGS: -D_GNU_SOURCE
#include "access/cases.h"

#include <semaphore.h>
#include <time.h>

static struct timespec soon(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += 60;
    return t;
}

static sem_t semaphore;
static pthread_rwlock_t written = PTHREAD_RWLOCK_INITIALIZER, read_ = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int by_semaphore, by_write, by_read, by_mutex, by_condition, condition_met, by_join;
static pthread_t joined;

static void post(void) {
    by_semaphore = 1;
    sem_post(&semaphore);
}
static void wait_semaphore(void) {
    struct timespec until = soon();
    CHECK(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &until) == 0);
    by_semaphore++;
}
static void write_lock(void) {
    struct timespec until = soon();
    CHECK(pthread_rwlock_clockwrlock(&written, CLOCK_MONOTONIC, &until) == 0);
    by_write++;
    pthread_rwlock_unlock(&written);
}
static void write_plain(void) {
    pthread_rwlock_wrlock(&read_);
    by_read = 1;
    pthread_rwlock_unlock(&read_);
}
static void read_lock(void) {
    struct timespec until = soon();
    CHECK(pthread_rwlock_clockrdlock(&read_, CLOCK_MONOTONIC, &until) == 0);
    CHECK(by_read == 1);
    pthread_rwlock_unlock(&read_);
}
static void mutex_lock(void) {
    struct timespec until = soon();
    CHECK(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &until) == 0);
    by_mutex++;
    pthread_mutex_unlock(&mutex);
}
static void meet(void) {
    by_condition = 1;
    pthread_mutex_lock(&mutex);
    condition_met = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
}
static void wait_condition(void) {
    struct timespec until = soon();
    pthread_mutex_lock(&mutex);
    while (!condition_met)
        CHECK(pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &until) == 0);
    pthread_mutex_unlock(&mutex);
    by_condition++;
}
static void *child(void *unused) {
    by_join = 1;
    return unused;
}
static void create(void) { joined = spawn(child, NULL); }
static void clock_join(void) {
    struct timespec until = soon();
    pthread_t volatile *thread = &joined;
    deadheat_acquire(&joined);
    CHECK(pthread_clockjoin_np(*thread, NULL, CLOCK_MONOTONIC, &until) == 0);
    by_join++;
}
static void create_and_tell(void) {
    create();
    deadheat_release(&joined);
}

static struct case_pair const pairs[] = {
    {"sem_clockwait", post, wait_semaphore},
    {"pthread_rwlock_clockwrlock", write_lock, write_lock},
    {"pthread_rwlock_clockrdlock", write_plain, read_lock},
    {"pthread_mutex_clocklock", mutex_lock, mutex_lock},
    {"pthread_cond_clockwait", meet, wait_condition},
    {"pthread_clockjoin_np", create_and_tell, clock_join},
};

int main(void) {
    CHECK(sem_init(&semaphore, 0, 0) == 0);
    CASES_RUN(pairs, 0);
    return 0;
}
