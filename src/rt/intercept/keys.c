/* Keys for thread-specific data. One is ours: its destructor notices a thread's end.
 *
 * Other keys' destructors are the program's code. They run in up to PTHREAD_DESTRUCTOR_ITERATIONS
 * rounds, in each round by the number of the key: so ours is higher than all of the program's, and
 * arms itself again for each round but the last. Where the program gets a higher one, we take one
 * that is higher still; threads that have a value for the old one go on with the new one at the end
 * of their last round. It need not be the highest of all from the start: libc looks for a free key
 * from 0 on, so that taking all would cost a millisecond, and has no memory for the values of keys
 * above 32 without allocating it.
 *
 *   Invariant: end_key is above all keys of the program.
 */
#include "rt/intercept/table.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <threads.h>

/* So many have room in libc's descriptor of a thread. */
enum { KEYS_AT_FIRST = 32 };

/* The value of ours says which it is, and how many rounds are left, at least one. */
enum { ROUNDS = 8 };
_Static_assert(PTHREAD_DESTRUCTOR_ITERATIONS < ROUNDS, "a value has room for all rounds");

static bool watching;
static pthread_key_t end_key;
static struct dh_mutex lock; /* for who makes keys: ours are taken out of the midst of others */

static void arm(pthread_key_t key, uintptr_t rounds) {
    dh_ignore_begin(); /* libc may allocate room for the value */
    if (pthread_setspecific(key, (void *)(key * (uintptr_t)ROUNDS + rounds)) != 0)
        dh_die("out of memory: no room for a thread's end to be noticed");
    dh_ignore_end();
}

static void end_round(void *value) {
    pthread_key_t const key = (pthread_key_t)((uintptr_t)value / ROUNDS);
    pthread_key_t const last = __atomic_load_n(&end_key, __ATOMIC_ACQUIRE);
    uintptr_t left = (uintptr_t)value % ROUNDS - 1;
    if (left > 0)
        arm(key, left);
    else if (key != last)
        arm(last, 1); /* libc comes to it in this round */
    else
        dh_thread_ends();
}

static pthread_key_t taken[PTHREAD_KEYS_MAX];

typedef int key_create(pthread_key_t *key, void (*destructor)(void *));

/* `wanted`, or the next there is: keys come in ascending order. False: there is none that is
 * `least` or above. */
static bool end_key_take(key_create *create, pthread_key_t least, pthread_key_t wanted) {
    unsigned count = 0;
    while (count < PTHREAD_KEYS_MAX && create(&taken[count], end_round) == 0
           && taken[count++] < wanted)
        continue;
    bool found = count > 0 && taken[count - 1] >= least;
    if (found) __atomic_store_n(&end_key, taken[--count], __ATOMIC_RELEASE);
    while (count > 0)
        pthread_key_delete(taken[--count]);
    return found;
}

/* The program has this key now. False: there is none left that is higher, and it cannot have it. */
static bool stays_below(key_create *create, pthread_key_t key) {
    return key < end_key || end_key_take(create, key + 1, 2 * (key + 1) - 1);
}

void dh_thread_watch_end(void) { arm(end_key, PTHREAD_DESTRUCTOR_ITERATIONS); }

static int make_key(key_create *create, pthread_key_t *key, void (*destructor)(void *),
                    struct dh_here here) {
    pthread_key_t made;
    if (!watching) return create(key, destructor);
    dh_critical_enter();
    dh_mutex_lock(&lock);
    int result = create(&made, destructor);
    if (result == 0 && !stays_below(create, made)) {
        pthread_key_delete(made);
        result = EAGAIN;
    }
    dh_mutex_unlock(&lock);
    dh_critical_leave();
    if (result == 0) {
        *key = made;
        if (dh_checking()) WRITES(key)
    }
    return result;
}

INTERCEPT(int, pthread_key_create, (pthread_key_t * key, void (*destructor)(void *))) {
    return make_key(REAL(pthread_key_create), key, destructor, DH_HERE);
}

/* The same by the name that the libraries of C++ use. */
INTERCEPT(int, __pthread_key_create, (pthread_key_t * key, void (*destructor)(void *))) {
    return make_key(REAL(__pthread_key_create), key, destructor, DH_HERE);
}

INTERCEPT(int, tss_create, (tss_t * key, tss_dtor_t destructor)) {
    struct dh_here here = DH_HERE;
    tss_t made;
    if (!watching) return REAL(tss_create)(key, destructor);
    dh_critical_enter();
    dh_mutex_lock(&lock);
    int result = REAL(tss_create)(&made, destructor);
    if (result == thrd_success && !stays_below(REAL(pthread_key_create), made)) {
        tss_delete(made);
        result = thrd_error;
    }
    dh_mutex_unlock(&lock);
    dh_critical_leave();
    if (result == thrd_success) {
        *key = made;
        if (dh_checking()) WRITES(key)
    }
    return result;
}

void dh_keys_init(void) {
    if (!end_key_take(REAL(pthread_key_create), 0, KEYS_AT_FIRST - 1))
        dh_die("no key for thread-specific data is left");
    watching = true;
}
