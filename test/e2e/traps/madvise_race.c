/* Contents thrown away by one thread while another has them; and memory that was thrown away is checked like
 * any other. */
// FLAGS: -D_GNU_SOURCE
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "access/cases.h"

#include <sys/mman.h>

enum { SIZE = 300000 };
static char volatile *thrown, *freed, *after;

static char *map(int flags) {
    char *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
    CHECK(p != MAP_FAILED);
    return p;
}

static void use_thrown(void) { thrown[200000] = 1; }
static void throw(void) { CHECK(madvise((void *)thrown, SIZE, MADV_DONTNEED) == 0); }
static void use_freed(void) { freed[200000] = 1; }
static void free_lazily(void) { CHECK(madvise((void *)freed, SIZE, MADV_FREE) == 0); }
static void throw_and_use(void) {
    CHECK(madvise((void *)after, SIZE, MADV_DONTNEED) == 0);
    after[200000] = 1;
}
static void use_too(void) { after[200000] = 2; }

static struct case_pair const pairs[] = {
    {"used, then thrown away", use_thrown, throw},
    {"used, then freed", use_freed, free_lazily},
    {"used by two afterwards", throw_and_use, use_too},
};

int main(void) {
    thrown = map(MAP_PRIVATE);
    freed = map(MAP_PRIVATE);
    after = map(MAP_PRIVATE);
    CASES_RUN(pairs, 1);
    return 0;
}
