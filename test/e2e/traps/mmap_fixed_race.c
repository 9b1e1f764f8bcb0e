/* A mapping that is put over another ends that one, as munmap does: by mmap, and by mremap. */
// FLAGS: -D_GNU_SOURCE
#include "access/cases.h"

#include <sys/mman.h>

enum { SIZE = 300000 };

static char volatile *anywhere(void) {
    void *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(p != MAP_FAILED);
    return p;
}

static char volatile *p, *q, *other;

static void use(void) { p[200000] = 1; }
static void map_over(void) {
    CHECK(mmap((void *)p, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == p);
}

static void use_other(void) { q[200000] = 1; }
static void move_over(void) {
    CHECK(mremap((void *)other, SIZE, SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)q) == q);
}

static struct case_pair const pairs[] = {{"mmap", use, map_over}, {"mremap", use_other, move_over}};

int main(void) {
    p = anywhere();
    q = anywhere();
    other = anywhere();
    CASES_RUN(pairs, 1);
    return 0;
}
