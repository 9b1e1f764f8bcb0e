/* Everything that orders, used correctly by several threads at once, for many rounds. Each primitive has a
 * plain variable that nothing else protects. */
// FLAGS: -D_GNU_SOURCE
#include "test.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <threads.h>
#include <time.h>

enum { THREADS = 4, ROUNDS = 300, GENERATIONS = 3 };

static struct timespec soon(clockid_t clock, int seconds) {
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_sec += seconds;
    return t;
}

/* ---- locks: a counter under each ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t robust;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static mtx_t mtx;
long under_mutex, under_recursive, under_robust, under_rwlock, under_spin, under_mtx;

static void use_mutexes(int round) {
    struct timespec until = soon(CLOCK_REALTIME, 60), until_steady = soon(CLOCK_MONOTONIC, 60);
    switch (round % 4) {
    case 0: pthread_mutex_lock(&mutex); break;
    case 1:
        while (pthread_mutex_trylock(&mutex) != 0)
            sched_yield();
        break;
    case 2: CHECK(pthread_mutex_timedlock(&mutex, &until) == 0); break;
    case 3: CHECK(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &until_steady) == 0);
    }
    under_mutex++;
    pthread_mutex_unlock(&mutex);

    for (int depth = 0; depth < 3; depth++)
        pthread_mutex_lock(&recursive);
    under_recursive++;
    for (int depth = 0; depth < 3; depth++)
        pthread_mutex_unlock(&recursive);

    int result = pthread_mutex_lock(&robust);
    if (result == EOWNERDEAD) CHECK(pthread_mutex_consistent(&robust) == 0);
    under_robust++;
    pthread_mutex_unlock(&robust);

    mtx_lock(&mtx);
    under_mtx++;
    mtx_unlock(&mtx);
}

static void use_other_locks(int round) {
    struct timespec until = soon(CLOCK_REALTIME, 60), until_steady = soon(CLOCK_MONOTONIC, 60);
    switch (round % 8) {
    case 0: pthread_rwlock_wrlock(&rwlock); break;
    case 1: CHECK(pthread_rwlock_timedwrlock(&rwlock, &until) == 0); break;
    case 2: CHECK(pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &until_steady) == 0); break;
    case 3: CHECK(pthread_rwlock_timedrdlock(&rwlock, &until) == 0); break;
    case 4: CHECK(pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, &until_steady) == 0); break;
    default: pthread_rwlock_rdlock(&rwlock);
    }
    if (round % 8 < 3)
        under_rwlock++;
    else
        CHECK(under_rwlock >= 0);
    pthread_rwlock_unlock(&rwlock);

    pthread_spin_lock(&spin);
    under_spin++;
    pthread_spin_unlock(&spin);
}

/* ---- hand-over: a value goes round a ring of threads ---- */

static sem_t turns[THREADS];
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static cnd_t moved_c11;
static pthread_mutex_t ring = PTHREAD_MUTEX_INITIALIZER;
static mtx_t ring_c11;
int holder, holder_c11;
long by_semaphore, by_condition, by_condition_c11;

static void pass_on(int self, int round) {
    struct timespec until = soon(CLOCK_REALTIME, 60);
    if (round % 2)
        CHECK(sem_wait(&turns[self]) == 0);
    else
        CHECK(sem_timedwait(&turns[self], &until) == 0);
    by_semaphore++;
    sem_post(&turns[(self + 1) % THREADS]);

    pthread_mutex_lock(&ring);
    while (holder != self) {
        if (round % 2)
            pthread_cond_wait(&moved, &ring);
        else
            pthread_cond_timedwait(&moved, &ring, &until);
    }
    by_condition++;
    holder = (self + 1) % THREADS;
    pthread_cond_broadcast(&moved);
    pthread_mutex_unlock(&ring);

    mtx_lock(&ring_c11);
    while (holder_c11 != self)
        cnd_wait(&moved_c11, &ring_c11);
    by_condition_c11++;
    holder_c11 = (self + 1) % THREADS;
    mtx_unlock(&ring_c11);
    cnd_broadcast(&moved_c11);
}

/* ---- phases ---- */

static pthread_barrier_t barrier;
long phases[THREADS];

static void use_barrier(int self, int round) {
    long *cell = &phases[(self + round) % THREADS];
    long before = *cell;
    *cell = before + 1;
    pthread_barrier_wait(&barrier);
    CHECK(phases[self] == before + 1);
    pthread_barrier_wait(&barrier);
}

/* ---- once ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static once_flag once_c11 = ONCE_FLAG_INIT;
int made, made_c11;
static void make(void) { made++; }
static void make_c11(void) { made_c11++; }

static void use_once(void) {
    pthread_once(&once, make);
    call_once(&once_c11, make_c11);
    CHECK(made == 1 && made_c11 == 1);
}

/* ---- atomics ---- */

static atomic_flag flag = ATOMIC_FLAG_INIT;
static atomic_int ready;
long under_flag, message;

static void use_atomics(int self, int round) {
    while (atomic_flag_test_and_set_explicit(&flag, memory_order_acquire))
        sched_yield();
    under_flag++;
    atomic_flag_clear_explicit(&flag, memory_order_release);
    if (self == 0) {
        message = round;
        atomic_thread_fence(memory_order_release);
        atomic_store_explicit(&ready, round + 1, memory_order_relaxed);
    } else {
        while (atomic_load_explicit(&ready, memory_order_relaxed) != round + 1)
            sched_yield();
        atomic_thread_fence(memory_order_acquire);
        CHECK(message == round);
    }
}

/* ---- threads and memory ---- */

static void *child(void *given) {
    char *text = given;
    text[0] = 'b';
    return strdup(text);
}

static void use_threads(int round) {
    char *text = malloc(16);
    strcpy(text, "abc");
    void *result;
    pthread_t thread = spawn(child, text);
    struct timespec until = soon(CLOCK_REALTIME, 60);
    if (round % 2)
        CHECK(pthread_timedjoin_np(thread, &result, &until) == 0);
    else
        CHECK(pthread_join(thread, &result) == 0);
    CHECK(strcmp(result, text) == 0 && text[0] == 'b');
    free(result);
    free(text);
}

static void *work(void *number) {
    int self = (int)(long)number;
    for (int round = 0; round < ROUNDS; round++) {
        use_mutexes(round);
        use_other_locks(round);
        pass_on(self, round);
        use_barrier(self, round);
        use_once();
        use_atomics(self, round);
        if (round % 20 == 0) use_threads(round);
        pthread_barrier_wait(&barrier); /* before the next message is written */
    }
    return NULL;
}

static int work_c11(void *number) { return work(number) != NULL; }

static void generation(int number) {
    pthread_t threads[THREADS];
    thrd_t threads_c11[THREADS];
    atomic_store(&ready, 0);
    for (long i = 0; i < THREADS; i++) {
        if (number % 2)
            CHECK(thrd_create(&threads_c11[i], work_c11, (void *)i) == thrd_success);
        else
            threads[i] = spawn(work, (void *)i);
    }
    for (int i = 0; i < THREADS; i++) {
        if (number % 2)
            CHECK(thrd_join(threads_c11[i], NULL) == thrd_success);
        else
            join(threads[i]);
    }
}

int main(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    CHECK(pthread_mutex_init(&robust, &attr) == 0);
    CHECK(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE) == 0);
    CHECK(mtx_init(&mtx, mtx_plain) == thrd_success && mtx_init(&ring_c11, mtx_plain) == thrd_success);
    CHECK(cnd_init(&moved_c11) == thrd_success);
    CHECK(pthread_barrier_init(&barrier, NULL, THREADS) == 0);
    for (int i = 0; i < THREADS; i++)
        CHECK(sem_init(&turns[i], 0, i == 0) == 0);
    for (int i = 0; i < GENERATIONS; i++)
        generation(i);
    long all = (long)THREADS * ROUNDS * GENERATIONS;
    CHECK(under_mutex == all && under_recursive == all && under_robust == all && under_mtx == all);
    CHECK(under_spin == all && under_flag == all);
    CHECK(by_semaphore == all && by_condition == all && by_condition_c11 == all);
    return 0;
}
