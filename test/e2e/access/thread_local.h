/* Two thread-local variables that only this file can name. One stays with its thread, or is lent to
 * functions that keep no copy. The address of the other is handed on: its own thread uses it by name, the
 * next by the pointer, under a lock if `careful` says so. */
#include "test.h"

enum { THREADS = 4, ROUNDS = 1000 };

static _Thread_local struct {
    long count, sums[8];
} own;
static _Thread_local long shown;
static long *shown_to_all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static __attribute__((noinline)) void add(long *sums, long i) { sums[i % 8] += i; }

static void hand_on(void) {
    pthread_mutex_lock(&lock);
    shown_to_all = &shown;
    pthread_mutex_unlock(&lock);
}

static long *handed_on(void) {
    pthread_mutex_lock(&lock);
    long *p = shown_to_all;
    pthread_mutex_unlock(&lock);
    return p;
}

static void use(long number, int careful) {
    long *p = handed_on();
    step();
    if (careful) pthread_mutex_lock(&lock);
    if (number == 0) shown++;
    if (number == 1) (*p)++;
    if (careful) pthread_mutex_unlock(&lock);
    step();
}

static int careful(void);

static void *work(void *argument) {
    long number = (long)argument;
    for (long i = 0; i < ROUNDS; i++) {
        own.count++;
        add(own.sums, i + number);
    }
    CHECK(own.count == ROUNDS);
    if (number == 0) hand_on();
    step();
    use(number, careful());
    return NULL;
}

/* Threads that come later find the blocks of those before them. */
int main(void) {
    steps(THREADS);
    for (int round = 0; round < 3; round++) {
        pthread_t threads[THREADS];
        for (long i = 0; i < THREADS; i++)
            threads[i] = spawn(work, (void *)i);
        for (int i = 0; i < THREADS; i++)
            join(threads[i]);
    }
    return 0;
}
