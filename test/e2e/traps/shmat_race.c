/* A System V segment is memory like any other, and to detach it is a write to all of it. */
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "access/cases.h"

#include <sys/ipc.h>
#include <sys/shm.h>

enum { SIZE = 300000 };
static char volatile *used, *detached, *unordered;

static char *attach(void) {
    int id = shmget(IPC_PRIVATE, SIZE, 0600);
    CHECK(id != -1);
    char *p = shmat(id, NULL, 0);
    CHECK(p != (void *)-1 && shmctl(id, IPC_RMID, NULL) == 0);
    return p;
}

static void use(void) { used[200000] = 1; }
static void use_too(void) { used[200000] = 2; }
static void use_before(void) { detached[200000] = 1; }
static void detach(void) { CHECK(shmdt((void *)detached) == 0); }
static void make(void) { unordered = attach(); }
static void use_unordered(void) { unordered[0] = 1; }

static struct case_pair const pairs[] = {
    {"used by two", use, use_too},
    {"used, then detached", use_before, detach},
    {"attached, then used", make, use_unordered},
};

int main(void) {
    used = attach();
    detached = attach();
    CASES_RUN(pairs, 1);
    return 0;
}
