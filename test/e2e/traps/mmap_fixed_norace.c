/* Over what is one's own, over a reservation, and over what somebody else has unmapped; and a call that fails
 * ends nothing. */
// FLAGS: -D_GNU_SOURCE
#include "access/cases.h"

#include <sys/mman.h>

enum { SIZE = 300000, PLAIN = MAP_PRIVATE | MAP_ANONYMOUS };

static void *map(void volatile *at, int protection, int flags) {
    return mmap64((void *)at, SIZE, protection, flags, -1, 0);
}

static char volatile *own, *reserved, *freed, *kept;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void use(void) {
    pthread_mutex_lock(&mutex);
    own[0] = own[200000] = 1;
    pthread_mutex_unlock(&mutex);
}
static void replace(void) {
    pthread_mutex_lock(&mutex);
    CHECK(map(own, PROT_READ | PROT_WRITE, PLAIN | MAP_FIXED) == own && own[200000] == 0);
    own[1] = 1;
    pthread_mutex_unlock(&mutex);
}

static void commit(void) {
    CHECK(mmap((void *)reserved, 4096, PROT_READ | PROT_WRITE, PLAIN | MAP_FIXED, -1, 0) == reserved);
    reserved[0] = 1;
}
static void commit_next(void) {
    char volatile *next = reserved + 4096;
    CHECK(mmap((void *)next, 4096, PROT_READ | PROT_WRITE, PLAIN | MAP_FIXED, -1, 0) == next);
    next[0] = 1;
}

static void unmap(void) { CHECK(munmap((void *)freed, SIZE) == 0); }
static void map_again(void) {
    CHECK(map(freed, PROT_READ | PROT_WRITE, PLAIN | MAP_FIXED) == freed);
    freed[0] = 1;
}

static void use_kept(void) { kept[0] = kept[200000] = 1; }
static void fail(void) { CHECK(map(kept, PROT_READ, MAP_PRIVATE | MAP_FIXED) == MAP_FAILED); }

static struct case_pair const pairs[] = {
    {"in order", use, replace},
    {"a reservation", commit, commit_next},
    {"unmapped", unmap, map_again},
    {"it fails", use_kept, fail},
};

int main(void) {
    own = map(NULL, PROT_READ | PROT_WRITE, PLAIN);
    reserved = map(NULL, PROT_NONE, PLAIN);
    freed = map(NULL, PROT_READ | PROT_WRITE, PLAIN);
    kept = map(NULL, PROT_READ | PROT_WRITE, PLAIN);
    CASES_RUN(pairs, 0);
    return 0;
}
