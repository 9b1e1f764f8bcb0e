/* Mappings that move, grow and shrink: whoever uses an address afterwards has nothing to do with who used it
 * before. */
// FLAGS: -D_GNU_SOURCE
#include "test.h"

#include <sys/mman.h>

enum { SIZE = 300000 & ~4095, LARGE = 4 << 20 };
static char volatile *place, *from;
static char *moving;

static char *map(void *at, size_t size) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0);
    char *p = mmap(at, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    CHECK(p != MAP_FAILED);
    return p;
}

static void fill(char volatile *p, size_t size) {
    for (size_t i = 0; i < size; i += 1000)
        p[i]++;
}

static void *first(void *unused) {
    fill(place, LARGE);
    CHECK(munmap((void *)place, LARGE) == 0);
    step(); /* 1: the address is free */
    step(); /* 2: the other has moved a mapping there, and away again */
    fill(map((void *)place, LARGE), LARGE);
    CHECK(mremap((void *)place, LARGE, SIZE, 0) == place);
    fill(place, SIZE); /* the rest of it is somebody else's soon */
    step();            /* 3 */
    return unused;
}

static void *second(void *unused) {
    fill(moving, SIZE);
    step(); /* 1 */
    CHECK(mremap(moving, SIZE, LARGE, MREMAP_MAYMOVE | MREMAP_FIXED, place) == place);
    CHECK(place[0] == 1 && place[SIZE] == 0);
    fill(place, LARGE);
    char *away = map(NULL, LARGE);
    CHECK(mremap((void *)place, LARGE, LARGE, MREMAP_MAYMOVE | MREMAP_FIXED, away) == away);
    CHECK(away[0] == 2);
    fill(away, LARGE);
    step(); /* 2 */
    step(); /* 3 */
    fill(map((void *)(place + SIZE), LARGE - SIZE), LARGE - SIZE);
    return unused;
}

/* One that grows where it is does not disturb who uses it. */
static void *user(void *unused) {
    fill(from, SIZE);
    step();
    return unused;
}

static void *grower(void *unused) {
    step();
    CHECK(mremap((void *)from, SIZE, 2 * SIZE, 0) == from);
    fill(from + SIZE, SIZE);
    return unused;
}

int main(void) {
    place = map(NULL, LARGE);
    moving = map(NULL, SIZE);
    run_two(first, second);
    from = map(NULL, 3 * SIZE); /* with a hole in it that nothing else fits into */
    CHECK(munmap((void *)(from + SIZE), SIZE) == 0);
    run_two(user, grower);
    return 0;
}
