/* Blocks that threads pass on through the allocator alone have nothing in common but the address. */
#include "test.h"

#include <string.h>

enum { ROUNDS = 3000 };

static void *work(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        size_t size = (size_t)(i % 500) + 1;
        char *p = i % 3 ? malloc(size) : calloc(1, size);
        for (size_t j = 0; j < size; j++)
            p[j] = (char)j;
        if (i % 5 == 0) p = realloc(p, 2 * size);
        p[size - 1] = 1;
        free(p);
    }
    return unused;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        threads[i] = spawn(work, NULL);
    for (int i = 0; i < 4; i++)
        join(threads[i]);
    return 0;
}
