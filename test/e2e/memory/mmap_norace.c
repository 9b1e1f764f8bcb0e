/* Mappings that threads get and give back in turn have nothing in common but the address. */
#include "test.h"

#include <sys/mman.h>

enum { ROUNDS = 200, SIZE = 300000 };

static void *work(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        char *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(p != MAP_FAILED);
        for (int j = 0; j < SIZE; j += 1000)
            p[j] = 1;
        CHECK(munmap(p, SIZE) == 0);
    }
    return unused;
}

int main(void) {
    run_two(work, work);
    return 0;
}
