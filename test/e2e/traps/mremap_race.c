/* A mapping that may move is written as a whole, as by realloc: a use that is not ordered with that races. So
 * does what is used of the part that goes when one shrinks in its place. */
// FLAGS: -D_GNU_SOURCE
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "access/cases.h"

#include <sys/mman.h>

enum { SIZE = 300000, LARGE = 8 << 20 };
static char volatile *moving, *shrinking, *new;

static char *map(size_t size) {
    char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(p != MAP_FAILED);
    return p;
}

static void use_moving(void) { moving[200000] = 1; }
static void move(void) { CHECK(mremap((void *)moving, SIZE, LARGE, MREMAP_MAYMOVE) != MAP_FAILED); }
static void use_shrinking(void) { shrinking[200000] = 1; }
static void shrink(void) { CHECK(mremap((void *)shrinking, SIZE, 4096, 0) == shrinking); }
static void make(void) { new = mremap(map(SIZE), SIZE, LARGE, MREMAP_MAYMOVE); }
static void use_unordered(void) { new[LARGE - 1] = 1; }

static struct case_pair const pairs[] = {
    {"used, then moved", use_moving, move},
    {"used, then shrunk", use_shrinking, shrink},
    {"made, then used", make, use_unordered},
};

int main(void) {
    moving = map(SIZE);
    shrinking = map(SIZE);
    CASES_RUN(pairs, 1);
    return 0;
}
