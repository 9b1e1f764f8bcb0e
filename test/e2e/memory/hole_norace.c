/* A hole that the program keeps in its address space is the program's: nothing of the runtime's gets into it. */
#include "test.h"

#include <string.h>
#include <sys/mman.h>

enum { HOLE = 8 << 20, OBJECTS = 100000 };

static int objects[OBJECTS][4];

static void *idle(void *unused) {
    step();
    return unused;
}

int main(void) {
    steps(2);
    pthread_t thread = spawn(idle, NULL);
    char *around = mmap(NULL, 3l * HOLE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(around != MAP_FAILED && munmap(around + HOLE, HOLE) == 0);
    for (int i = 0; i < OBJECTS; i++) /* each needs a record, a clock, and more */
        __atomic_fetch_add(&objects[i][0], 1, __ATOMIC_ACQ_REL);
    char *hole = mmap(around + HOLE, HOLE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    CHECK(hole == around + HOLE);
    memset(hole, 0xff, HOLE);
    for (int i = 0; i < OBJECTS; i++)
        __atomic_fetch_add(&objects[i][0], 1, __ATOMIC_ACQ_REL);
    step();
    join(thread);
    return 0;
}
