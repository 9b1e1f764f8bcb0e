/* Heap blocks: what is written before each one, and which addresses are blocks at all. */
#ifndef DEADHEAT_RT_INTERCEPT_BLOCKS_H
#define DEADHEAT_RT_INTERCEPT_BLOCKS_H

#include "rt/heap.h"

/* The 16 bytes before a block. What libc gave starts 2^shift bytes before the block: 16, or the
 * block's alignment if that is larger. */
struct dh_block_header {
    uint64_t size : 56; /* as the program asked for */
    uint64_t shift : 8;
    dh_stack_id stack;
    uint32_t thread;
};
_Static_assert(sizeof(struct dh_block_header) == 16, "malloc's alignment is kept");

static inline struct dh_block_header *dh_block_header(void const *p) {
    return (struct dh_block_header *)p - 1;
}
static inline void *dh_block_start(void const *p) {
    return (char *)p - ((size_t)1 << dh_block_header(p)->shift);
}

/* Is p the address of a live block of ours? */
bool dh_block_is(void const *p);
/* p becomes one, its header being filled in. False: no memory. */
bool dh_block_add(void const *p);
/* p is one no longer. False: it was none. Of two threads that try, one succeeds. */
bool dh_block_remove(void const *p);
/* Keeps what is known of p, for reports on its use after it was freed. Before it is removed. */
void dh_block_remember(void const *p);

#endif
