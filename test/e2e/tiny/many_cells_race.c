/* The same, and one cell in the middle is used without the lock, once, early. */
#include "test.h"

enum { CELLS = 2000 };
long cells[CELLS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused) {
    for (int i = 0; i < CELLS; i++) {
        if (i == CELLS / 2) cells[i]++;
        pthread_mutex_lock(&mutex);
        cells[i] += i != CELLS / 2;
        pthread_mutex_unlock(&mutex);
    }
    step();
    return unused;
}

/* Locks nothing that the first has unlocked. */
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
long elsewhere[CELLS];

static void *second(void *unused) {
    for (int i = 0; i < CELLS; i++) {
        pthread_mutex_lock(&other);
        elsewhere[i]++;
        pthread_mutex_unlock(&other);
    }
    step();
    cells[CELLS / 2]++;
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
