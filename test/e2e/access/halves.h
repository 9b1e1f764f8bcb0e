/* Tables that a thread uses here and there, epoch after epoch, so that neighbours in a cell were last used at different
 * times: the states of their cells are sets, and change from one to another. Every eighth element is another thread's.
 * What differs between the two programs is what else that thread has. */
#include "test.h"

enum { N = 1 << 10, ROUNDS = 200, YOURS = 5 };
#define KINDS(X) X(int, i) X(short, s) X(char, c)
#define DEFINE(type, n) _Alignas(64) type table_##n[N];
KINDS(DEFINE)

static unsigned pick(unsigned *seed) {
    *seed = *seed * 1103515245 + 12345;
    unsigned at = *seed >> 16 & (N - 1);
    return at % 8 == YOURS ? at - 1 : at;
}

#define ADD(type, n) table_##n[pick(&seed)] += 1;
#define ADD_ALL KINDS(ADD)
#define SIX_TIMES(x) x x x x x x

/* Checks that are inlined, and so many that they are called (emit/called.c). */
__attribute__((noinline)) static void use_few(unsigned seed, int times) {
    for (int i = 0; i < times; i++) {
        seed++;
        ADD_ALL
    }
}
__attribute__((noinline)) static void use_many(unsigned seed, int times) {
    for (int i = 0; i < times; i++) {
        SIX_TIMES(ADD_ALL)
    }
}

static void rounds(unsigned seed) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        use_few(seed + (unsigned)i, 60);
        use_many(seed + (unsigned)i * 7, 10);
        pthread_mutex_unlock(&lock);
    }
}

static void *first(void *unused) {
    (void)unused;
    rounds(1);
    step();
    step();
    rounds(2);
    return NULL;
}

#define ADD_YOURS(type, n)                \
    for (int i = YOURS; i < N; i += 8)    \
        table_##n[i * 3 % N / 8 * 8 + YOURS] += 1;

static void *second(void *unused) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    (void)unused;
    step();
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        KINDS(ADD_YOURS)
        use();
        pthread_mutex_unlock(&lock);
    }
    step();
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
