/* Memory that is given back all at once, and can be put back as it was.
 *
 * What comes from an arena is zero, and stays where it is. Single pieces can be returned for others
 * of their size. Out of memory ends the tool.
 *
 *   Invariant: the bytes of a chunk from `used` on are zero.
 *
 * A copy of an arena taken by dh_arena_save brings back, by dh_arena_restore, every byte that was
 * in use at that time at its address: whoever keeps a whole state in an arena can try one
 * continuation after the other.
 */
#ifndef DEADHEAT_UTIL_ARENA_H
#define DEADHEAT_UTIL_ARENA_H

#include <stddef.h>
#include <stdint.h>

enum {
    DH_ARENA_ALIGN = 16,
    DH_ARENA_SMALL = 1024, /* up to here sizes are multiples of 16, beyond they are powers of two */
    DH_ARENA_CLASSES = DH_ARENA_SMALL / DH_ARENA_ALIGN + 1 + 54,
};

struct dh_arena {
    struct dh_arena_chunk *chunks; /* the newest first */
    size_t held;                   /* bytes in all chunks */
    void *returned[DH_ARENA_CLASSES];
};

/* All zero is an empty arena. */
void *dh_arena_alloc(struct dh_arena *arena, size_t size);
void dh_arena_return(struct dh_arena *arena, void *piece, size_t size);
void dh_arena_release(struct dh_arena *arena);

/* A piece of `count` items of `size` bytes becomes one of at least `wanted`; *count says how many.
 */
void *dh_arena_grow(struct dh_arena *arena, void *piece, uint32_t *count, uint64_t wanted,
                    size_t size);

struct dh_arena_copy {
    struct dh_arena arena;
    char *bytes;
    size_t room;
};
void dh_arena_save(struct dh_arena const *arena, struct dh_arena_copy *copy);
void dh_arena_restore(struct dh_arena *arena, struct dh_arena_copy const *copy);

#endif
