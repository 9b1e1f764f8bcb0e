/* Loops over some fields of structures that were filled in one by one, at different times: so that each has cells of its
 * own, of which many are in the same state. What differs between the two programs is what the second thread has. */
#include "test.h"

enum { N = 4000, STEP = 7 };
struct small {
    int value;
    short left, right;
} smalls[N];
struct large {
    int x, y, z, rest;
} larges[N];
long result;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) void fill(int from) {
    for (int i = from; i < N; i += STEP) {
        int at = (int)((unsigned)i * 1031u % N); /* here and there */
        smalls[at].value = i;
        smalls[at].left = smalls[at].right = (short)i;
        larges[at] = (struct large){i, i, i, 0};
    }
}
__attribute__((noinline)) long sum_small(struct small const *p, int n) {
    long s = 0;
    for (int i = 0; i < n; i++)
        s += p[i].value;
    return s;
}
__attribute__((noinline)) long sum_large(struct large const *p, int n) {
    long s = 0;
    for (int i = 0; i < n; i++)
        s += p[i].x + p[i].y + p[i].z;
    return s;
}
__attribute__((noinline)) void clear(struct small *p, int n) {
    for (int i = 0; i < n; i++)
        p[i].value = 0;
}

static void all(void) {
    for (int i = 0; i < STEP; i++) {
        pthread_mutex_lock(&lock);
        fill(i);
        pthread_mutex_unlock(&lock);
    }
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        result += sum_small(smalls, N) + sum_large(larges, N);
        pthread_mutex_unlock(&lock);
    }
    clear(smalls, N);
}

static void *first(void *unused) {
    (void)unused;
    all();
    step();
    step();
    result += sum_small(smalls, N) + sum_large(larges, N);
    clear(smalls, N);
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    use();
    step();
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
