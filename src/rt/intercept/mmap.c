/* Mappings come and go like heap blocks: a mapping is a birth, munmap a write to all of it. */
#include "rt/intercept/intercept.h"

#include <sys/mman.h>

enum { PAGE = 4096 };

/* The kernel maps whole pages. A reservation is nobody's memory yet. */
static void *mapped(void *p, size_t size, int protection, struct dh_here here) {
    if (p == MAP_FAILED || !dh_checking()) return p;
    size_t whole = (size + PAGE - 1) & ~(size_t)(PAGE - 1);
    if (protection == PROT_NONE)
        dh_memory_fresh(p, whole);
    else
        dh_memory_born(p, whole, here);
    return p;
}

INTERCEPT(void *, mmap, (void *p, size_t size, int protection, int flags, int fd, off_t offset)) {
    return mapped(REAL(mmap)(p, size, protection, flags, fd, offset), size, protection, DH_HERE);
}

INTERCEPT(void *, mmap64, (void *p, size_t size, int protection, int flags, int fd, off_t offset)) {
    return mapped(REAL(mmap64)(p, size, protection, flags, fd, offset), size, protection, DH_HERE);
}

INTERCEPT(int, munmap, (void *p, size_t size)) {
    bool refused = (uintptr_t)p % PAGE != 0 || size == 0;
    if (!refused && dh_checking())
        dh_memory_dies(p, (size + PAGE - 1) & ~(size_t)(PAGE - 1), DH_HERE);
    return REAL(munmap)(p, size);
}
