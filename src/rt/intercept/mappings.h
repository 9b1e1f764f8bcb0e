/* Mappings that are not the process's alone: of files, of shared memory, of System V segments. What
 * madvise throws away there is not lost, and shmdt says where a segment begins but not where it
 * ends. */
#ifndef DEADHEAT_RT_INTERCEPT_MAPPINGS_H
#define DEADHEAT_RT_INTERCEPT_MAPPINGS_H

#include "rt/base.h"

enum { DH_PAGE = 4096 };

/* The kernel maps whole pages. */
static inline size_t dh_whole_pages(size_t size) {
    return (size + DH_PAGE - 1) & ~(size_t)(DH_PAGE - 1);
}

/* From now on these bytes are a new mapping, or none. */
void dh_mapping_set(void const *p, size_t size, bool foreign);
/* Is any of these bytes in a mapping that is not the process's alone? */
bool dh_mapping_foreign(void const *p, size_t size);
/* The size of the foreign mapping that begins here; 0 if none does. */
size_t dh_mapping_size(void const *p);

#endif
