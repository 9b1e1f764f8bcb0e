/* munmap is a write to the whole mapping. */
#include "test.h"

#include <sys/mman.h>

enum { SIZE = 300000 };

char volatile *p;

static void *first(void *unused) {
    p[200000] = 1;
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    CHECK(munmap((void *)p, SIZE) == 0);
    return unused;
}

int main(void) {
    p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(p != MAP_FAILED);
    run_two(first, second);
    return 0;
}
