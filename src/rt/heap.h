/* What is known of heap blocks: who allocated them, where, how large. */
#ifndef DEADHEAT_RT_HEAP_H
#define DEADHEAT_RT_HEAP_H

#include "rt/stacks.h"

struct dh_block {
    uintptr_t address;
    size_t size;       /* as the program asked for */
    dh_stack_id stack; /* of the allocation */
    uint32_t thread;   /* number of the allocating thread */
    bool freed;
};

/* The block that holds `address`, live or (as long as it is remembered) freed. For reports: it may
 * look around in the heap, and never touches memory that could be unmapped. */
bool dh_heap_find(uintptr_t address, struct dh_block *block);

#endif
