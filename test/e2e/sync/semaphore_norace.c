/* Two semaphores pass a token to and fro; every way to wait. */
// FLAGS: -D_GNU_SOURCE
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 1000 };

static sem_t ping, *pong;
long count;

static void wait_for(sem_t *sem, int way) {
    struct timespec until;
    clock_gettime(way % 4 == 2 ? CLOCK_REALTIME : CLOCK_MONOTONIC, &until);
    until.tv_sec += 60;
    switch (way % 4) {
    case 0: CHECK(sem_wait(sem) == 0); break;
    case 1:
        while (sem_trywait(sem) != 0)
            CHECK(errno == EAGAIN);
        break;
    case 2: CHECK(sem_timedwait(sem, &until) == 0); break;
    case 3: CHECK(sem_clockwait(sem, CLOCK_MONOTONIC, &until) == 0);
    }
}

static void *first(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        wait_for(&ping, i);
        count++;
        sem_post(pong);
    }
    return unused;
}

static void *second(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        wait_for(pong, i);
        count++;
        sem_post(&ping);
    }
    return unused;
}

int main(void) {
    char name[64];
    snprintf(name, sizeof name, "/deadheat-test-%d", (int)getpid());
    pong = sem_open(name, O_CREAT | O_EXCL, 0600, 0); /* a named one */
    CHECK(pong != SEM_FAILED && sem_unlink(name) == 0);
    CHECK(sem_init(&ping, 0, 1) == 0);
    run_two(first, second);
    CHECK(count == 2 * ROUNDS);
    CHECK(sem_destroy(&ping) == 0 && sem_close(pong) == 0);
    return 0;
}
