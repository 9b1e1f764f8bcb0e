/* A post orders what came before it, not what comes after. */
#include "test.h"

#include <semaphore.h>

static sem_t sem;
int x;

static void *first(void *unused) {
    sem_post(&sem);
    x = 1;
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    sem_wait(&sem);
    x = 2;
    return unused;
}

int main(void) {
    sem_init(&sem, 0, 0);
    run_two(first, second);
    return 0;
}
