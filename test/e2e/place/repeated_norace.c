/* The same memory again and again, and in turns with another thread: no more than what there is. */
#include "test.h"

enum { N = 256, ROUNDS = 20 };
int turns[N], shared[N];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) void fill(int *a, int n, int value) {
    for (int i = 0; i < n; i++) a[i] = value;
}
__attribute__((noinline)) int sum(int const *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}

static void *work(void *unused) {
    int s = 0;
    for (int n = 0; n < ROUNDS; n++) {
        pthread_mutex_lock(&lock);
        for (int i = 0; i < 3; i++) fill(turns + i, N - 2 * i, n);
        s += sum(turns, N);
        pthread_mutex_unlock(&lock);
        s += sum(shared, N);
        int *p = malloc(N * sizeof *p);
        fill(p, N, n);
        s += sum(p, N);
        free(p);
    }
    return s == -1 ? unused : NULL;
}

int main(void) {
    run_two(work, work);
    return 0;
}
