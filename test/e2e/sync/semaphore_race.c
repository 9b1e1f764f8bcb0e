/* The post and the wait are on different semaphores; a trywait that failed orders nothing. */
#include "test.h"

#include <errno.h>
#include <semaphore.h>

static sem_t a, b;
int x;

static void *first(void *unused) {
    x = 1;
    sem_post(&a);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    CHECK(sem_wait(&b) == 0);
    CHECK(sem_trywait(&b) == -1 && errno == EAGAIN);
    x = 2;
    return unused;
}

int main(void) {
    sem_init(&a, 0, 0);
    sem_init(&b, 0, 1);
    run_two(first, second);
    return 0;
}
