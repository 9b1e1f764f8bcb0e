/* Large blocks, as wholes and in parts: made, used by several threads, given on, grown, freed, and their
 * memory used again. */
#include "test.h"

#include <string.h>

enum { MEGABYTE = 1 << 20, PARTS = 4, ROUNDS = 20 };

static char *block;
static size_t size;

static void *use_part(void *number) {
    size_t part = size / PARTS;
    char *from = block + (size_t)number * part;
    for (size_t i = 0; i < part; i += 1000)
        from[i]++;
    memset(from + part / 2, 1, part / 4);
    return NULL;
}

static void use(void) {
    pthread_t threads[PARTS];
    for (long i = 0; i < PARTS; i++)
        threads[i] = spawn(use_part, (void *)i);
    for (int i = 0; i < PARTS; i++)
        join(threads[i]);
}

static void *free_it(void *unused) {
    free(block);
    return unused;
}

/* Not ordered with the others but by the allocator. */
static void *on_its_own(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        char *p = i % 2 ? malloc(3 * MEGABYTE + i) : calloc(3, MEGABYTE);
        memset(p, i, MEGABYTE);
        p[2 * MEGABYTE] = 1;
        p = realloc(p, 4 * MEGABYTE);
        p[3 * MEGABYTE] = 1;
        free(p);
    }
    return unused;
}

int main(void) {
    pthread_t other = spawn(on_its_own, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        size = 2 * MEGABYTE + 100 * (size_t)i;
        block = calloc(1, size);
        use();
        size *= 2;
        block = realloc(block, size);
        use();
        if (i % 2)
            join(spawn(free_it, NULL));
        else
            free(block);
    }
    join(other);
    return 0;
}
