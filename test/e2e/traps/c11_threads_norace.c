/* C11's threads, mutexes, condition variables and once. */
#include "test.h"

#include <threads.h>
#include <time.h>

enum { ROUNDS = 1000, THREADS = 4 };

static mtx_t mutexes[3];
long counts[3];
static once_flag once = ONCE_FLAG_INIT;
static cnd_t turned;
int turn, made;

static void make(void) { made = 1; }

static void lock(mtx_t *mutex, int way) {
    struct timespec until;
    timespec_get(&until, TIME_UTC);
    until.tv_sec += 60;
    if (way % 3 == 0) CHECK(mtx_lock(mutex) == thrd_success);
    while (way % 3 == 1 && mtx_trylock(mutex) != thrd_success)
        ;
    if (way % 3 == 2) CHECK(mtx_timedlock(mutex, &until) == thrd_success);
}

int count(void *unused) {
    (void)unused;
    call_once(&once, make);
    CHECK(made == 1);
    for (int i = 0; i < ROUNDS; i++)
        for (int m = 0; m < 3; m++) {
            lock(&mutexes[m], m == 1 ? i : 0);
            if (m == 2) lock(&mutexes[m], 0);
            counts[m]++;
            if (m == 2) mtx_unlock(&mutexes[m]);
            mtx_unlock(&mutexes[m]);
        }
    return 7;
}

int take_turns(void *number) {
    for (int i = 0; i < ROUNDS; i++) {
        mtx_lock(&mutexes[0]);
        while (turn % 2 != *(int *)number) {
            struct timespec until;
            timespec_get(&until, TIME_UTC);
            until.tv_sec += 60;
            CHECK((i % 2 ? cnd_wait(&turned, &mutexes[0]) : cnd_timedwait(&turned, &mutexes[0], &until))
                  == thrd_success);
        }
        turn++;
        cnd_broadcast(&turned);
        mtx_unlock(&mutexes[0]);
    }
    thrd_exit(9);
}

int main(void) {
    thrd_t threads[THREADS];
    int numbers[2] = {0, 1}, result;
    CHECK(mtx_init(&mutexes[0], mtx_plain) == thrd_success);
    CHECK(mtx_init(&mutexes[1], mtx_timed) == thrd_success);
    CHECK(mtx_init(&mutexes[2], mtx_plain | mtx_recursive) == thrd_success);
    CHECK(cnd_init(&turned) == thrd_success);
    for (int i = 0; i < THREADS; i++)
        CHECK(thrd_create(&threads[i], count, NULL) == thrd_success);
    for (int i = 0; i < THREADS; i++)
        CHECK(thrd_join(threads[i], &result) == thrd_success && result == 7);
    for (int m = 0; m < 3; m++)
        CHECK(counts[m] == THREADS * ROUNDS);
    for (int i = 0; i < 2; i++)
        CHECK(thrd_create(&threads[i], take_turns, &numbers[i]) == thrd_success);
    for (int i = 0; i < 2; i++)
        CHECK(thrd_join(threads[i], &result) == thrd_success && result == 9);
    CHECK(turn == 2 * ROUNDS);
    cnd_destroy(&turned);
    for (int m = 0; m < 3; m++)
        mtx_destroy(&mutexes[m]);
    return 0;
}
