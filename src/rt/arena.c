#include "rt/arena.h"

struct dh_arena_chunk {
    struct dh_arena_chunk *older;
    size_t size; /* with this header */
};

enum { CHUNK = 256 << 10, HEADER = (sizeof(struct dh_arena_chunk) + 15) & ~15ul };

static void grow(struct dh_arena *arena, size_t size) {
    size_t room = size > CHUNK - HEADER ? (size + HEADER + 4095) & ~4095ul : CHUNK;
    struct dh_arena_chunk *chunk = room > size ? dh_pages(room) : 0;
    if (!chunk) dh_die("out of memory: %zu bytes for a report could not be had", size);
    chunk->older = arena->chunks;
    chunk->size = room;
    arena->chunks = chunk;
    arena->used = HEADER;
}

void *dh_arena_alloc(struct dh_arena *arena, size_t size) {
    size = (size + 15) & ~15ul;
    if (!arena->chunks || arena->chunks->size - arena->used < size) grow(arena, size);
    void *p = (char *)arena->chunks + arena->used;
    arena->used += size;
    return p;
}

char *dh_arena_text(struct dh_arena *arena, char const *text, size_t length) {
    char *copy = dh_arena_alloc(arena, length + 1);
    dh_copy(copy, text, length);
    return copy;
}

void dh_arena_free(struct dh_arena *arena) {
    for (struct dh_arena_chunk *chunk = arena->chunks, *older; chunk; chunk = older) {
        older = chunk->older;
        dh_pages_free(chunk, chunk->size);
    }
    *arena = (struct dh_arena){0};
}
