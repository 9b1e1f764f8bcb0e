/* Blocks of all small sizes: one thread makes them and writes the first byte, another accesses the last, a third
 * frees them. Some have a mutex in them, whose clock ends with the block. The next ones come to the same places. */
#include "test.h"

enum { SIZES = 200, ROUNDS = 3 };

static unsigned char *blocks[SIZES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long sum;

/* Before each turn of a thread that has waited for it: orders it behind the one before, or not. */
static void turn(void);

/* Knows of the blocks then, but not of what is done next. */
static void look(unsigned char **mine) {
    pthread_mutex_lock(&lock);
    for (int size = 1; size < SIZES; size++)
        mine[size] = blocks[size];
    pthread_mutex_unlock(&lock);
}

static void make(void) {
    for (int size = 1; size < SIZES; size++)
        blocks[size] = malloc((size_t)size);
}

static void use_mutex(int size) {
    pthread_mutex_t *m = (pthread_mutex_t *)(void *)blocks[size];
    if ((size_t)size < sizeof *m || size % 3 != 0) return;
    pthread_mutex_init(m, NULL);
    pthread_mutex_lock(m);
    pthread_mutex_unlock(m);
    pthread_mutex_destroy(m);
}

/* The block's first bytes are those of the mutex, if it has one. */
static void *first(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&lock);
        make();
        for (int size = 1; size < SIZES; size++) {
            use_mutex(size);
            blocks[size][0] = 1;
        }
        pthread_mutex_unlock(&lock);
        step();
        step();
        step();
    }
    return unused;
}

static void *second(void *unused) {
    unsigned char *mine[SIZES];
    for (int round = 0; round < ROUNDS; round++) {
        step();
        look(mine);
        turn();
        for (int size = 1; size < SIZES; size++)
            if (size % 2)
                sum += mine[size][size - 1];
            else
                mine[size][size - 1] = 1;
        turn();
        step();
        step();
    }
    return unused;
}

static void *third(void *unused) {
    unsigned char *mine[SIZES];
    for (int round = 0; round < ROUNDS; round++) {
        step();
        look(mine);
        step();
        turn();
        for (int size = 1; size < SIZES; size++)
            free(mine[size]);
        pthread_mutex_lock(&lock); /* the next blocks are made behind this */
        pthread_mutex_unlock(&lock);
        step();
    }
    return unused;
}

int main(void) {
    steps(3);
    pthread_t threads[] = {spawn(first, NULL), spawn(second, NULL), spawn(third, NULL)};
    for (int i = 0; i < 3; i++)
        join(threads[i]);
    return 0;
}
