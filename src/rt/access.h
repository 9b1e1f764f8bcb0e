/* Accesses as the rest of the runtime reports them: by interceptors, by memory that comes and goes.
 */
#ifndef DEADHEAT_RT_ACCESS_H
#define DEADHEAT_RT_ACCESS_H

#include "core/entries.h"
#include "rt/abi.h"

#include <stddef.h>

/* Where an access, a lock or an allocation happened, as seen from the function that the program
 * called: DH_HERE in an interceptor names the program's call of it. */
struct dh_here {
    uintptr_t pc;    /* return address into the program */
    uintptr_t frame; /* frame pointer of the program's function */
};
#define DH_HERE                                               \
    ((struct dh_here){(uintptr_t)__builtin_return_address(0), \
                      *(uintptr_t const *)__builtin_frame_address(0)})
#define DH_FRAME __builtin_frame_address(0)
/* The same from the frame of that function. */
static inline struct dh_here dh_here_in(void const *frame) {
    return (struct dh_here){((uintptr_t const *)frame)[1], ((uintptr_t const *)frame)[0]};
}

/* A plain access to `size` bytes at `p` by the running thread, before it happens. */
void dh_range_read(void const *p, size_t size, struct dh_here here);
void dh_range_write(void const *p, size_t size, struct dh_here here);
/* The same for an access of the program's own code, which may be quick. */
void dh_access_one(uintptr_t address, size_t size, enum dh_kind kind, struct dh_here here);

/* The slow exits of accesses to parts of a cell, for who has looked at it: it lies within one that
 * has a set for accesses of this kind, which the thread does not know (rt/parts.h); or within one
 * that is split (rt/splits.h); or else. */
#define DH_PART_EXITS(name)                         \
    DH_SLOW void dh_##name##_in_set(void const *p); \
    DH_SLOW void dh_##name##_split(void const *p);  \
    DH_SLOW void dh_##name##_no_set(void const *p);
DH_PART_EXITS(read1)
DH_PART_EXITS(read2)
DH_PART_EXITS(read4)
DH_PART_EXITS(write1)
DH_PART_EXITS(write2)
DH_PART_EXITS(write4)

/* A block has come into being: its history is forgotten, and the running thread wrote it. */
void dh_memory_born(void const *p, size_t size, struct dh_here here);
/* The same of memory that need not begin or end with a cell: what is beside it keeps its
 * history. */
void dh_memory_renewed(void const *p, size_t size, struct dh_here here);
/* A block is about to go: a write to all of it. Synchronisation objects in it end. */
void dh_memory_dies(void const *p, size_t size, struct dh_here here);
/* Memory that nobody can know yet (a new stack): history is forgotten, nothing is recorded. */
void dh_memory_fresh(void const *p, size_t size);

#endif
