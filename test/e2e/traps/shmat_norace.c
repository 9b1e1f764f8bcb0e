/* System V segments, attached and detached in turn at one address by threads that have nothing else in common. */
#include "test.h"

#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>

enum { SIZE = 300000, HOLE = 1 << 19, ROUNDS = 20 };
static char volatile *place;

static void turn(void) {
    int id = shmget(IPC_PRIVATE, SIZE, 0600);
    CHECK(id != -1);
    char volatile *p = shmat(id, (void *)place, 0);
    CHECK(p == place && shmctl(id, IPC_RMID, NULL) == 0);
    for (int i = 0; i < SIZE; i += 1000)
        CHECK(p[i]++ == 0);
    CHECK(shmdt((void *)p) == 0);
}

static void *first(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        turn();
        step();
        step();
    }
    return unused;
}

static void *second(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        step();
        turn();
        step();
    }
    return unused;
}

int main(void) {
    /* A hole that nothing else fits into. */
    char *around = mmap(NULL, 3 * HOLE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(around != MAP_FAILED && munmap(around + HOLE, HOLE) == 0);
    place = around + HOLE;
    run_two(first, second);
    return 0;
}
