/* The memory that a list of buffers names. */
#ifndef DEADHEAT_RT_INTERCEPT_VECTORS_H
#define DEADHEAT_RT_INTERCEPT_VECTORS_H

#include "rt/access.h"

#include <sys/uio.h>

/* The first `size` bytes of the buffers are read, and the list. */
static inline void dh_vector_read(struct iovec const *v, long count, size_t size,
                                  struct dh_here here) {
    if (count <= 0) return;
    dh_range_read(v, (size_t)count * sizeof *v, here);
    for (long i = 0; i < count && size > 0; i++) {
        size_t part = v[i].iov_len < size ? v[i].iov_len : size;
        dh_range_read(v[i].iov_base, part, here);
        size -= part;
    }
}

/* The first `size` bytes of the buffers are written, and the list is read. */
static inline void dh_vector_write(struct iovec const *v, long count, size_t size,
                                   struct dh_here here) {
    if (count <= 0) return;
    dh_range_read(v, (size_t)count * sizeof *v, here);
    for (long i = 0; i < count && size > 0; i++) {
        size_t part = v[i].iov_len < size ? v[i].iov_len : size;
        dh_range_write(v[i].iov_base, part, here);
        size -= part;
    }
}

#endif
