/* A program with an allocator of its own, which is code like any other: what it orders, and what it does not, is seen.
 * Blocks are handed out once, from an array. */
#ifndef DEADHEAT_TEST_OWN_MALLOC_H
#define DEADHEAT_TEST_OWN_MALLOC_H

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static _Alignas(16) char pool[1 << 22];
static atomic_size_t used, freed;

void *malloc(size_t size) {
    size_t whole = (size + 31) & ~(size_t)15; /* the size stands in front */
    size_t at = atomic_fetch_add_explicit(&used, whole, memory_order_relaxed);
    if (at + whole > sizeof pool) return NULL;
    *(size_t *)(pool + at) = size;
    return pool + at + 16;
}

void free(void *block) {
    if (block) atomic_fetch_add_explicit(&freed, 1, memory_order_relaxed);
}

void *calloc(size_t count, size_t size) { return malloc(count * size); /* it is zero */ }

void *realloc(void *block, size_t size) {
    char *larger = malloc(size), *old = block;
    size_t had = old ? *(size_t *)(old - 16) : 0;
    for (size_t i = 0; larger && i < had && i < size; i++)
        larger[i] = old[i];
    return larger;
}

static inline int is_own(void const *p) {
    return (char const *)p >= pool && (char const *)p < pool + sizeof pool;
}

#endif
