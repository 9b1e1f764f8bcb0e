/* Attributes of threads and locks, what is done before another program begins, and how long a wait may last. */
#include "spans.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>

static void *nothing(void *unused) { return unused; }
static int nothing_c11(void *unused) { return unused != NULL; }
static pthread_mutex_t mutex, held, protecting;
static pthread_rwlock_t lock;
static pthread_cond_t condition;
static pthread_barrier_t barrier;
static mtx_t timed;
static cnd_t signalled;
static sem_t semaphore;
static char stack[1 << 16];

static pthread_t one(void) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, nothing, NULL) == 0);
    return thread;
}
static thrd_t one_c11(void) {
    thrd_t thread;
    CHECK(thrd_create(&thread, nothing_c11, NULL) == thrd_success);
    return thread;
}
static int tried(pthread_t thread, void **to) {
    int failed;
    while ((failed = pthread_tryjoin_np(thread, to)) == EBUSY)
        sched_yield();
    return failed;
}
static void joins(pthread_attr_t *attributes) {
    pthread_t thread;
    CHECK(pthread_create(&thread, attributes, nothing, NULL) == 0 && pthread_join(thread, NULL) == 0);
}
static void protects(void) {
    pthread_mutexattr_t how;
    pthread_mutexattr_init(&how);
    pthread_mutexattr_setprotocol(&how, PTHREAD_PRIO_PROTECT);
    CHECK(pthread_mutex_init(&protecting, &how) == 0);
}
static void key(void) {
    CHECK(pthread_key_create((void *)m.a, NULL) == 0);
    CHECK(pthread_key_delete(*(pthread_key_t *)m.a) == 0);
}
static struct timespec later(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_sec += 100;
    return t;
}
#define LATER(clock) (*(struct timespec *)m.a = later(clock))
#define UNTIL ((struct timespec *)m.a)
#define READS_UNTIL R(a, 0, 16)

#define MADE(kind) CHECK(kind##_init((void *)m.a) == 0)
#define OBJECT(X, kind)                                                                                \
    X(kind##_init, , KEEP(kind##_init((void *)m.a)), W(a, 0, sizeof(kind##_t)))                        \
    X(kind##_destroy, MADE(kind), KEEP(kind##_destroy((void *)m.a)), W(a, 0, sizeof(kind##_t)))
#define GETS(X, kind, name, size)                                                                      \
    X(kind##_get##name, MADE(kind), KEEP(kind##_get##name((void *)m.a, (void *)m.b)), R(a, 0, sizeof(kind##_t)), \
      W(b, 0, size))
#define SETS(X, kind, name, value)                                                                     \
    X(kind##_set##name, MADE(kind), KEEP(kind##_set##name((void *)m.a, value)), W(a, 0, sizeof(kind##_t)))
#define SETS_FROM(X, kind, name, size)                                                                 \
    X(kind##_set##name, MADE(kind), KEEP(kind##_set##name((void *)m.a, (void *)m.b)), W(a, 0, sizeof(kind##_t)), \
      R(b, 0, size))
#define BOTH(X, kind, name, size, value) GETS(X, kind, name, size) SETS(X, kind, name, value)

#define ACTIONS sizeof(posix_spawn_file_actions_t)
#define ACTIONS_MADE CHECK(posix_spawn_file_actions_init((void *)m.a) == 0)
#define ACTION(X, name, ...)                                                                           \
    X(posix_spawn_file_actions_##name, ACTIONS_MADE, KEEP(posix_spawn_file_actions_##name((void *)m.a, __VA_ARGS__)), \
      W(a, 0, ACTIONS))
/* It is larger than one of the buffers, which follow on each other. */
#define SPAWN_MADE CHECK(posix_spawnattr_init((void *)m.a) == 0)
#define AT(field) offsetof(posix_spawnattr_t, field)
#define SIZE(field) sizeof((posix_spawnattr_t *)0)->field
#define SPAWN_GETS(X, name, field)                                                                     \
    X(posix_spawnattr_get##name, SPAWN_MADE, KEEP(posix_spawnattr_get##name((void *)m.a, (void *)m.n)), \
      R(a, AT(field), SIZE(field)), W(n, 0, SIZE(field)))
#define SPAWN_SETS(X, name, field)                                                                     \
    X(posix_spawnattr_set##name, SPAWN_MADE, KEEP(posix_spawnattr_set##name((void *)m.a, 0)), W(a, AT(field), SIZE(field)))
#define SPAWN_SETS_FROM(X, name, field)                                                                \
    X(posix_spawnattr_set##name, SPAWN_MADE, KEEP(posix_spawnattr_set##name((void *)m.a, (void *)m.n)), \
      W(a, AT(field), SIZE(field)), R(n, 0, SIZE(field)))
#define COMMAND SET(c, "/no/such"); m.p[0] = m.c

#define CASES(X)                                                                                       \
    OBJECT(X, pthread_attr)                                                                            \
    BOTH(X, pthread_attr, detachstate, 4, PTHREAD_CREATE_DETACHED)                                     \
    BOTH(X, pthread_attr, guardsize, 8, n(4096))                                                       \
    BOTH(X, pthread_attr, inheritsched, 4, PTHREAD_EXPLICIT_SCHED)                                     \
    BOTH(X, pthread_attr, schedpolicy, 4, SCHED_OTHER)                                                 \
    BOTH(X, pthread_attr, scope, 4, PTHREAD_SCOPE_SYSTEM)                                              \
    BOTH(X, pthread_attr, stacksize, 8, n(1 << 16))                                                    \
    BOTH(X, pthread_attr, stackaddr, 8, stack + sizeof stack)                                          \
    GETS(X, pthread_attr, schedparam, 4)                                                               \
    SETS_FROM(X, pthread_attr, schedparam, 4)                                                          \
    X(pthread_attr_setstack, MADE(pthread_attr), KEEP(pthread_attr_setstack((void *)m.a, stack, sizeof stack)), \
      W(a, 0, sizeof(pthread_attr_t)))                                                                 \
    X(pthread_attr_getstack, MADE(pthread_attr), KEEP(pthread_attr_getstack((void *)m.a, (void *)m.b, (void *)m.c)), \
      R(a, 0, sizeof(pthread_attr_t)), W(b, 0, 8), W(c, 0, 8))                                         \
    X(pthread_attr_setaffinity_np, MADE(pthread_attr), KEEP(pthread_attr_setaffinity_np((void *)m.a,   \
      128, (void *)m.b)),                                                                              \
      W(a, 0, sizeof(pthread_attr_t)), R(b, 0, 128))                                                   \
    X(pthread_attr_getaffinity_np, MADE(pthread_attr), KEEP(pthread_attr_getaffinity_np((void *)m.a,   \
      128, (void *)m.b)),                                                                              \
      R(a, 0, sizeof(pthread_attr_t)), W(b, 0, 128))                                                   \
    GETS(X, pthread_attr, sigmask_np, 128)                                                             \
    SETS_FROM(X, pthread_attr, sigmask_np, 128)                                                        \
    X(pthread_getattr_np, , KEEP(pthread_getattr_np(pthread_self(), (void *)m.a)), W(a, 0, sizeof(pthread_attr_t))) \
    X(pthread_getattr_default_np, , KEEP(pthread_getattr_default_np((void *)m.a)), W(a, 0, sizeof(pthread_attr_t))) \
    X(pthread_setattr_default_np, MADE(pthread_attr), KEEP(pthread_setattr_default_np((void *)m.a)),   \
      R(a, 0, sizeof(pthread_attr_t)))                                                                 \
    OBJECT(X, pthread_mutexattr)                                                                       \
    BOTH(X, pthread_mutexattr, prioceiling, 4, 1)                                                      \
    BOTH(X, pthread_mutexattr, protocol, 4, PTHREAD_PRIO_NONE)                                         \
    BOTH(X, pthread_mutexattr, pshared, 4, PTHREAD_PROCESS_SHARED)                                     \
    BOTH(X, pthread_mutexattr, robust, 4, PTHREAD_MUTEX_ROBUST)                                        \
    BOTH(X, pthread_mutexattr, type, 4, PTHREAD_MUTEX_RECURSIVE)                                       \
    OBJECT(X, pthread_condattr)                                                                        \
    BOTH(X, pthread_condattr, clock, 4, CLOCK_MONOTONIC)                                               \
    BOTH(X, pthread_condattr, pshared, 4, PTHREAD_PROCESS_SHARED)                                      \
    OBJECT(X, pthread_rwlockattr)                                                                      \
    BOTH(X, pthread_rwlockattr, kind_np, 4, PTHREAD_RWLOCK_PREFER_READER_NP)                           \
    BOTH(X, pthread_rwlockattr, pshared, 4, PTHREAD_PROCESS_SHARED)                                    \
    OBJECT(X, pthread_barrierattr)                                                                     \
    BOTH(X, pthread_barrierattr, pshared, 4, PTHREAD_PROCESS_SHARED)                                   \
    X(pthread_mutex_init, MADE(pthread_mutexattr), KEEP(pthread_mutex_init(&mutex, (void *)m.a)), R(a, 0, 4)) \
    X(pthread_cond_init, MADE(pthread_condattr), KEEP(pthread_cond_init(&condition, (void *)m.a)), R(a, 0, 4)) \
    X(pthread_rwlock_init, MADE(pthread_rwlockattr), KEEP(pthread_rwlock_init(&lock, (void *)m.a)), R(a, 0, 8)) \
    X(pthread_barrier_init, MADE(pthread_barrierattr), KEEP(pthread_barrier_init(&barrier,             \
      (void *)m.a, 1)), R(a, 0, 4))                                                                    \
    X(pthread_mutex_getprioceiling, protects(), KEEP(pthread_mutex_getprioceiling(&protecting,         \
      (void *)m.a)), W(a, 0, 4))                                                                       \
    X(pthread_mutex_setprioceiling, protects(), KEEP(pthread_mutex_setprioceiling(&mutex, 1, (void *)m.a)), NOTHING) \
    X(pthread_key_create, , key(), W(a, 0, 4))                                                         \
    X(pthread_setcancelstate, , KEEP(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, (void *)m.a)), W(a, 0, 4)) \
    X(pthread_setcanceltype, , KEEP(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, (void *)m.a)), W(a, 0, 4)) \
    X(pthread_setname_np, SET(a, "name"), KEEP(pthread_setname_np(pthread_self(), m.a)), R(a, 0, 5))   \
    X(pthread_create, MADE(pthread_attr), joins((void *)m.a), R(a, 0, sizeof(pthread_attr_t)))         \
    X(pthread_create_handle, , KEEP(pthread_create((void *)m.a, NULL, nothing, NULL)), W(a, 0, 8))     \
    X(thrd_create, , KEEP(thrd_create((void *)m.a, nothing_c11, NULL)), W(a, 0, 8))                    \
    X(pthread_join, , KEEP(pthread_join(one(), (void *)m.b)), W(b, 0, 8))                              \
    X(pthread_tryjoin_np, , KEEP(tried(one(), (void *)m.b)), W(b, 0, 8))                               \
    X(pthread_timedjoin_np, LATER(CLOCK_REALTIME), KEEP(pthread_timedjoin_np(one(), (void *)m.b, UNTIL)), READS_UNTIL, \
      W(b, 0, 8))                                                                                      \
    X(pthread_clockjoin_np, LATER(CLOCK_MONOTONIC), KEEP(pthread_clockjoin_np(one(), (void *)m.b,      \
      CLOCK_MONOTONIC, UNTIL)),                                                                        \
      READS_UNTIL, W(b, 0, 8))                                                                         \
    X(thrd_join, , KEEP(thrd_join(one_c11(), (void *)m.b)), W(b, 0, 4))                                \
    X(pthread_mutex_timedlock, pthread_mutex_init(&mutex, NULL); LATER(CLOCK_REALTIME),                \
      KEEP(pthread_mutex_timedlock(&mutex, UNTIL)), READS_UNTIL)                                       \
    X(pthread_mutex_clocklock, pthread_mutex_init(&mutex, NULL); LATER(CLOCK_MONOTONIC),               \
      KEEP(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, UNTIL)), READS_UNTIL)                      \
    X(mtx_timedlock, mtx_init(&timed, mtx_timed), KEEP(mtx_timedlock(&timed, UNTIL)), READS_UNTIL)     \
    X(pthread_rwlock_timedrdlock, pthread_rwlock_init(&lock, NULL), KEEP(pthread_rwlock_timedrdlock(&lock, UNTIL)), \
      READS_UNTIL)                                                                                     \
    X(pthread_rwlock_timedwrlock, pthread_rwlock_init(&lock, NULL), KEEP(pthread_rwlock_timedwrlock(&lock, UNTIL)), \
      READS_UNTIL)                                                                                     \
    X(pthread_rwlock_clockrdlock, pthread_rwlock_init(&lock, NULL),                                    \
      KEEP(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, UNTIL)), READS_UNTIL)                    \
    X(pthread_rwlock_clockwrlock, pthread_rwlock_init(&lock, NULL),                                    \
      KEEP(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, UNTIL)), READS_UNTIL)                    \
    X(sem_timedwait, sem_init(&semaphore, 0, 1), KEEP(sem_timedwait(&semaphore, UNTIL)), READS_UNTIL)  \
    X(sem_clockwait, sem_init(&semaphore, 0, 1), KEEP(sem_clockwait(&semaphore, CLOCK_MONOTONIC, UNTIL)), READS_UNTIL) \
    X(pthread_cond_timedwait, pthread_cond_init(&condition, NULL), pthread_mutex_lock(&held);          \
      KEEP(pthread_cond_timedwait(&condition, &held, UNTIL)); pthread_mutex_unlock(&held), READS_UNTIL) \
    X(pthread_cond_clockwait, pthread_cond_init(&condition, NULL), pthread_mutex_lock(&held);          \
      KEEP(pthread_cond_clockwait(&condition, &held, CLOCK_MONOTONIC,                                  \
      UNTIL)); pthread_mutex_unlock(&held), READS_UNTIL)                                               \
    X(cnd_timedwait, cnd_init(&signalled); mtx_init(&timed, mtx_plain), mtx_lock(&timed);              \
      KEEP(cnd_timedwait(&signalled, &timed, UNTIL)); mtx_unlock(&timed), READS_UNTIL)                 \
    X(posix_spawn_file_actions_init, , KEEP(posix_spawn_file_actions_init((void *)m.a)), W(a, 0, ACTIONS)) \
    X(posix_spawn_file_actions_destroy, ACTIONS_MADE,                                                  \
      KEEP(posix_spawn_file_actions_destroy((void *)m.a)), W(a, 0, ACTIONS))                           \
    X(posix_spawn_file_actions_addopen, ACTIONS_MADE; SET(b, "/x"),                                    \
      KEEP(posix_spawn_file_actions_addopen((void *)m.a, 9, m.b, 0, 0)), W(a, 0, ACTIONS), R(b, 0, 3)) \
    X(posix_spawn_file_actions_addchdir_np, ACTIONS_MADE; SET(b, "/x"),                                \
      KEEP(posix_spawn_file_actions_addchdir_np((void *)m.a, m.b)), W(a, 0, ACTIONS), R(b, 0, 3))      \
    ACTION(X, addclose, 9)                                                                             \
    ACTION(X, adddup2, 1, 9)                                                                           \
    ACTION(X, addfchdir_np, 1)                                                                         \
    ACTION(X, addclosefrom_np, 9)                                                                      \
    ACTION(X, addtcsetpgrp_np, 1)                                                                      \
    X(posix_spawnattr_init, , KEEP(posix_spawnattr_init((void *)m.a)), W(a, 0, sizeof(posix_spawnattr_t))) \
    X(posix_spawnattr_destroy, SPAWN_MADE, KEEP(posix_spawnattr_destroy((void *)m.a)), W(a, 0,         \
      sizeof(posix_spawnattr_t)))                                                                      \
    SPAWN_GETS(X, flags, __flags)                                                                      \
    SPAWN_SETS(X, flags, __flags)                                                                      \
    SPAWN_GETS(X, pgroup, __pgrp)                                                                      \
    SPAWN_SETS(X, pgroup, __pgrp)                                                                      \
    SPAWN_GETS(X, schedpolicy, __policy)                                                               \
    SPAWN_SETS(X, schedpolicy, __policy)                                                               \
    SPAWN_GETS(X, schedparam, __sp)                                                                    \
    SPAWN_SETS_FROM(X, schedparam, __sp)                                                               \
    SPAWN_GETS(X, sigdefault, __sd)                                                                    \
    SPAWN_SETS_FROM(X, sigdefault, __sd)                                                               \
    SPAWN_GETS(X, sigmask, __ss)                                                                       \
    SPAWN_SETS_FROM(X, sigmask, __ss)                                                                  \
    X(posix_spawn_attributes, SPAWN_MADE; COMMAND,                                                     \
      KEEP(posix_spawn((void *)m.n, m.c, NULL, (void *)m.a, m.p, m.p + 1)), R(a, 0, sizeof(posix_spawnattr_t)), \
      R(c, 0, 9), R(p, 0, 16))                                                                         \
    X(posix_spawn_actions, ACTIONS_MADE; COMMAND,                                                      \
      KEEP(posix_spawn((void *)m.n, m.c, (void *)m.a, NULL, m.p, m.p + 1)), R(a, 0, ACTIONS), R(c, 0, 9), R(p, 0, 16))

RUN_CASES()
