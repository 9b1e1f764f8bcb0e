/* A large table that was used here and there, by two threads, until one of them gives it back. What differs between the
 * two programs is whether it knows that the other is done. */
#include "test.h"

enum { N = 1 << 17, USES = 20000, ROUNDS = 4 };
static int *table;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, done = PTHREAD_MUTEX_INITIALIZER;

static void use(unsigned seed, unsigned parity) {
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&lock);
        for (int i = 0; i < USES; i++) {
            seed = seed * 1103515245 + 12345;
            table[(seed >> 8 & (N / 2 - 1)) * 2 + parity]++;
        }
        pthread_mutex_unlock(&lock);
    }
}

static void *first(void *unused) {
    (void)unused;
    use(1, 0);
    step();
    step();
    pthread_mutex_lock(&done);
    pthread_mutex_unlock(&done);
    free(table);
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    use(2, 1);
    last();
    step();
    return NULL;
}

int main(void) {
    table = calloc(N, sizeof *table);
    run_two(first, second);
    return 0;
}
