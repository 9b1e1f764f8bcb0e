/* Records of eight bytes whose fields are used one by one, epoch after epoch, each record in its own way: their cells
 * are split. First one thread has them to itself; then two have them under one lock. What differs between the two
 * programs is whether the last accesses of the second are under it, too. */
#include "test.h"

enum { N = 1 << 10, ROUNDS = 300, PICKS = 60 };
_Alignas(64) struct record {
    int i;
    short s;
    char c, d;
} records[N];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static unsigned pick(unsigned *seed) {
    *seed = *seed * 1103515245 + 12345;
    return *seed >> 16;
}

#define FIELDS(X, at, which)          \
    switch ((which) % 4) {            \
    case 0: X(records[at].i); break;  \
    case 1: X(records[at].s); break;  \
    case 2: X(records[at].c); break;  \
    default: X(records[at].d); break; \
    }
#define ADD(field) (field) += 1
#define LOOK(field) sum += (field)
#define SET(field) (field) = 1

#define USE                            \
    {                                  \
        unsigned at = pick(&seed) % N; \
        unsigned which = pick(&seed);  \
        if (which & 4)                 \
            FIELDS(ADD, at, which)     \
        else                           \
            FIELDS(LOOK, at, which)    \
    }

/* Checks that are inlined, and so many that they are called (emit/called.c). */
__attribute__((noinline)) static int use_few(unsigned seed) {
    int sum = 0;
    for (int i = 0; i < PICKS; i++) {
        USE
    }
    return sum;
}
__attribute__((noinline)) static int use_many(unsigned seed) {
    int sum = 0;
    for (int i = 0; i < PICKS; i += 6) {
        USE USE USE USE USE USE
    }
    return sum;
}

int volatile total;
static void rounds(unsigned seed) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        total += use_few(seed + (unsigned)i) + use_many(seed * 7 + (unsigned)i);
        pthread_mutex_unlock(&lock);
    }
}

/* Each field is this thread's at the end. */
static void all(void) {
    for (unsigned which = 0; which < 4; which++) {
        pthread_mutex_lock(&lock);
        for (unsigned at = 0; at < N; at++)
            FIELDS(SET, (at * 7) % N, which + at)
        pthread_mutex_unlock(&lock);
    }
}

static void *first(void *unused) {
    (void)unused;
    rounds(1);
    step();
    rounds(1000);
    step();
    rounds(2000);
    step();
    all();
    step();
    return NULL;
}

static void last(void);

static void *second(void *unused) {
    (void)unused;
    step();
    rounds(3000);
    step();
    rounds(4000);
    step();
    step();
    last();
    return NULL;
}

/* On lines of their own: what is on one line is one race. */
static void one_of_each(void) {
    for (unsigned at = 0; at < N; at++)
        switch (at % 4) {
        case 0: records[at].i = 1; break;
        case 1: records[at].s = 1; break;
        case 2: records[at].c = 1; break;
        default: records[at].d = 1; break;
        }
}

int main(void) {
    run_two(first, second);
    return 0;
}
