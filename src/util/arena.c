#include "util/arena.h"

#include "util/diag.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CHUNK = 16 << 10, LARGEST_CHUNK = 4 << 20 };

struct dh_arena_chunk {
    struct dh_arena_chunk *next;
    size_t size, used;
    _Alignas(DH_ARENA_ALIGN) char bytes[];
};

/* The class of a size, and the size that all pieces of the class have. */
static unsigned class_of(size_t *size) {
    if (*size <= DH_ARENA_SMALL) {
        unsigned class = (unsigned)((*size + DH_ARENA_ALIGN - 1) / DH_ARENA_ALIGN);
        *size = (size_t) class * DH_ARENA_ALIGN;
        return class;
    }
    if (*size > SIZE_MAX / 2) dh_fail("out of memory");
    unsigned bits = 64 - (unsigned)__builtin_clzl(*size - 1);
    *size = (size_t)1 << bits;
    return DH_ARENA_SMALL / DH_ARENA_ALIGN + bits - 10;
}

static void chunk_add(struct dh_arena *arena, size_t least) {
    size_t size = arena->held < FIRST_CHUNK ? FIRST_CHUNK : arena->held;
    if (size > LARGEST_CHUNK) size = LARGEST_CHUNK;
    if (size < least) size = least;
    struct dh_arena_chunk *chunk = calloc(1, sizeof *chunk + size);
    if (!chunk) dh_fail("out of memory");
    chunk->size = size;
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    arena->held += size;
}

void *dh_arena_alloc(struct dh_arena *arena, size_t size) {
    if (size == 0) size = 1;
    unsigned class = class_of(&size);
    void *piece = arena->returned[class];
    if (piece) {
        memcpy(&arena->returned[class], piece, sizeof(void *));
        return memset(piece, 0, size);
    }
    if (!arena->chunks || arena->chunks->size - arena->chunks->used < size) chunk_add(arena, size);
    piece = arena->chunks->bytes + arena->chunks->used;
    arena->chunks->used += size;
    return piece;
}

void dh_arena_return(struct dh_arena *arena, void *piece, size_t size) {
    if (!piece) return;
    if (size == 0) size = 1;
    unsigned class = class_of(&size);
    memcpy(piece, &arena->returned[class], sizeof(void *));
    arena->returned[class] = piece;
}

void dh_arena_release(struct dh_arena *arena) {
    while (arena->chunks) {
        struct dh_arena_chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
    *arena = (struct dh_arena){0};
}

void *dh_arena_grow(struct dh_arena *arena, void *piece, uint32_t *count, uint64_t wanted,
                    size_t size) {
    if (wanted <= *count) return piece;
    /* Powers of two: lists that grow to hold each other in turn come to an end. */
    uint64_t larger = 4;
    while (larger < wanted)
        larger *= 2;
    if (larger > UINT32_MAX) dh_fail("out of memory");
    void *grown = dh_arena_alloc(arena, larger * size);
    if (*count) memcpy(grown, piece, *count * size);
    dh_arena_return(arena, piece, *count * size);
    *count = (uint32_t)larger;
    return grown;
}

void dh_arena_save(struct dh_arena const *arena, struct dh_arena_copy *copy) {
    size_t bytes = 0;
    for (struct dh_arena_chunk const *c = arena->chunks; c; c = c->next)
        bytes += c->used + sizeof c->used;
    if (bytes > copy->room) {
        free(copy->bytes);
        copy->room = 2 * bytes;
        copy->bytes = malloc(copy->room);
        if (!copy->bytes) dh_fail("out of memory");
    }
    copy->arena = *arena;
    char *at = copy->bytes;
    for (struct dh_arena_chunk const *c = arena->chunks; c; c = c->next) {
        memcpy(at, &c->used, sizeof c->used);
        memcpy(at + sizeof c->used, c->bytes, c->used);
        at += sizeof c->used + c->used;
    }
}

void dh_arena_restore(struct dh_arena *arena, struct dh_arena_copy const *copy) {
    while (arena->chunks != copy->arena.chunks) {
        struct dh_arena_chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
    *arena = copy->arena;
    char const *at = copy->bytes;
    for (struct dh_arena_chunk *c = arena->chunks; c; c = c->next) {
        size_t used;
        memcpy(&used, at, sizeof used);
        memcpy(c->bytes, at + sizeof used, used);
        memset(c->bytes + used, 0, c->used - used);
        c->used = used;
        at += sizeof used + used;
    }
}
