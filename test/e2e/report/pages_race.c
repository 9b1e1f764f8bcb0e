/* Accesses all over some pages of the history, which came round before: in one call and in many, with locks and
 * without, alone and behind others that take two places there. Each of them is found, with its stack.
 * LEVELS: -O1
 * ENV: DEADHEAT_OPTIONS=history_size=0
 * EXPECT: ^  Previous write of size 4 at 0x[0-9a-f]+ by thread T1:$
 * EXPECT: ^  Previous write of size 4 at 0x[0-9a-f]+ by thread T1 \(holding lock M1 \(write\)\):$
 * EXPECT: ^  Previous write of size 4 at 0x[0-9a-f]+ by thread T1 \(holding locks M1 \(write\), M2 \(write\)\):$
 * EXPECT: ^    #0 mark .*pages_race\.c:[0-9]+
 * EXPECT: ^    #0 first .*pages_race\.c:[0-9]+
 * EXPECT: ^    #1 first .*pages_race\.c:[0-9]+
 * EXPECT: ^deadheat: 400 races reported \(400 occurrences\)$
 * REJECT: no longer on record
 */
#include "test.h"

#include <string.h>

#define TEN(F, n) F(n##0) F(n##1) F(n##2) F(n##3) F(n##4) F(n##5) F(n##6) F(n##7) F(n##8) F(n##9)
#define HUNDRED(F, n)                                                                          \
    TEN(F, n##0)                                                                               \
    TEN(F, n##1) TEN(F, n##2) TEN(F, n##3) TEN(F, n##4) TEN(F, n##5) TEN(F, n##6) TEN(F, n##7) \
        TEN(F, n##8) TEN(F, n##9)
#define ALL(F) HUNDRED(F, 1) HUNDRED(F, 2) HUNDRED(F, 3) HUNDRED(F, 4)

#define VARIABLE(n) int v##n;
ALL(VARIABLE)
enum { FILLING = 1 << 14 };
long filling[FILLING];
static char bytes[3][6000];
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

__attribute__((noinline)) static void mark(int *v, int n) { *v = n; }

/* What the write is in the middle of. */
static void before(int n) {
    if (n % 3 == 1) memset(bytes[n % 3], n, sizeof *bytes);
    if (n % 7 == 0) mark((int *)bytes[n % 3] + n % 5, n);
    if (n % 8 == 0) pthread_mutex_lock(&locks[0]);
    if (n % 16 == 0) pthread_mutex_lock(&locks[1]);
}
static void after(int n) {
    if (n % 16 == 0) pthread_mutex_unlock(&locks[1]);
    if (n % 8 == 0) pthread_mutex_unlock(&locks[0]);
}

static void fill(void) {
    unsigned place = 1;
    for (int i = 0; i < FILLING; i++) {
        place = (place * 1103515245u + 12345u) % FILLING; /* no regular distance */
        filling[place] = i;
    }
}

/* Settings and events of one place and of two, a few each, at all places of pages. */
static void sweep(void) {
    for (int i = 0; i < 2000; i++) {
        for (int k = 0; k < i % 7; k++)
            filling[i + 100 * k] = i;
        memset(bytes[i % 3], i, sizeof *bytes);
        pthread_mutex_lock(&locks[0]);
        filling[i + 1] = i;
        pthread_mutex_unlock(&locks[0]);
    }
}

static void *first(void *unused) {
    fill();
    sweep();
#define MARK(n)           \
    before(n);            \
    if (n / 100 % 2 == 0) \
        v##n = n;         \
    else                  \
        mark(&v##n, n);   \
    after(n);
    ALL(MARK)
    step();
    return unused;
}

static void *second(void *unused) {
    step();
#define WRITE(n) v##n = 0;
    ALL(WRITE)
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
