/* Mappings come and go like heap blocks: a mapping is a birth, munmap a write to all of it. mremap
 * is to a mapping what realloc is to a block, and madvise may throw away what is in one. */
#include "rt/intercept/mappings.h"
#include "rt/intercept/table.h"
#include "rt/intercept/vectors.h"
#include "rt/options.h"
#include "rt/shadow.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* The bytes are a new mapping. A reservation is nobody's memory yet. */
static void maps(void const *p, size_t size, bool reservation, bool foreign, struct dh_here here) {
    if (!dh_options.enabled) return;
    dh_mapping_set(p, size, foreign);
    if (!dh_checking()) return;
    if (reservation)
        dh_memory_fresh(p, size);
    else
        dh_memory_born(p, size, here);
}

/* What was there before is gone, as if it had been unmapped. That is known only when it has
 * happened, but nobody else can have got the addresses meanwhile. */
static void replaces(void const *p, size_t size, struct dh_here here) {
    if (dh_checking()) dh_memory_dies(p, size, here);
}

static void *mapped(void *p, size_t size, int protection, int flags, struct dh_here here) {
    bool foreign = !(flags & MAP_ANONYMOUS) || !(flags & MAP_PRIVATE);
    if (p != MAP_FAILED) maps(p, dh_whole_pages(size), protection == PROT_NONE, foreign, here);
    return p;
}

/* Over what is there already, if anything is. If not, the addresses may be free because another
 * thread unmapped what was there, and that is all the order there needs to be: so the kernel is
 * first asked for it on that condition. */
#define MMAP(name)                                                                                 \
    INTERCEPT(void *, name,                                                                        \
              (void *p, size_t size, int protection, int flags, int fd, off_t offset)) {           \
        int before = errno, careful = (flags & ~MAP_FIXED) | MAP_FIXED_NOREPLACE;                  \
        if ((flags & MAP_FIXED) && dh_checking()) {                                                \
            void *free = REAL(name)(p, size, protection, careful, fd, offset);                     \
            if (free == p) return mapped(p, size, protection, flags, DH_HERE);                     \
            if (free != MAP_FAILED) munmap(free, size); /* a kernel that does not know the flag */ \
            errno = before;                                                                        \
        }                                                                                          \
        void *result = REAL(name)(p, size, protection, flags, fd, offset);                         \
        if ((flags & MAP_FIXED) && result != MAP_FAILED)                                           \
            replaces(result, dh_whole_pages(size), DH_HERE);                                       \
        return mapped(result, size, protection, flags, DH_HERE);                                   \
    }
MMAP(mmap)
MMAP(mmap64)

/* What the kernel refuses changes nothing. */
static bool refused(void const *p, size_t size) { return (uintptr_t)p % DH_PAGE != 0 || size == 0; }

static void unmaps(void const *p, size_t size, struct dh_here here) {
    if (refused(p, size)) return;
    if (dh_checking()) dh_memory_dies(p, dh_whole_pages(size), here);
    if (dh_options.enabled) dh_mapping_set(p, dh_whole_pages(size), false);
}

INTERCEPT(int, munmap, (void *p, size_t size)) {
    unmaps(p, size, DH_HERE);
    return REAL(munmap)(p, size);
}

/* ---- mremap ---- */

/* Takes the addresses if they are free; false: something is there. */
static bool reserve(void *p, size_t size) {
    long flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    long got = dh_syscall(SYS_mmap, p, (long)size, (long)PROT_NONE, flags, -1l, 0l);
    if (got == (long)p) return true;
    if (got > 0) dh_syscall(SYS_munmap, got, (long)size, 0l, 0l, 0l, 0l);
    return false;
}

/* Stays where it is: what is used of it meanwhile does not matter, only the end comes or goes. */
static void *resizes(void *p, size_t old, size_t size, bool foreign, struct dh_here here) {
    if (size > old) maps((char *)p + old, size - old, false, foreign, here);
    return p;
}

INTERCEPT(void *, mremap, (void *p, size_t old_size, size_t new_size, int flags, ...)) {
    va_list rest;
    va_start(rest, flags);
    void *wanted = flags & (MREMAP_FIXED | MREMAP_DONTUNMAP) ? va_arg(rest, void *) : 0;
    va_end(rest);
    if (!dh_options.enabled || refused(p, new_size))
        return REAL(mremap)(p, old_size, new_size, flags, wanted);

    size_t old = dh_whole_pages(old_size), size = dh_whole_pages(new_size);
    bool foreign = old == 0 || dh_mapping_foreign(p, old);
    bool fixed = flags & MREMAP_FIXED;
    bool stays =
        !(flags & MREMAP_MAYMOVE) || (size <= old && !fixed && !(flags & MREMAP_DONTUNMAP));
    if (stays) {
        if (size < old) unmaps((char *)p + size, old - size, DH_HERE);
        void *result = REAL(mremap)(p, old_size, new_size, flags);
        return result == MAP_FAILED ? result : resizes(result, old, size, foreign, DH_HERE);
    }
    bool reserved = fixed && dh_checking() && reserve(wanted, size);
    /* With an old size of 0 a shared mapping gets a second address, and keeps its first. */
    if (dh_checking() && old != 0) dh_memory_dies(p, old, DH_HERE);
    void *result = REAL(mremap)(p, old_size, new_size, flags, wanted);
    if (result == MAP_FAILED) {
        if (reserved) dh_syscall(SYS_munmap, wanted, (long)size, 0l, 0l, 0l, 0l);
        return result;
    }
    if (!(flags & MREMAP_DONTUNMAP)) dh_mapping_set(p, old, false);
    if (fixed && !reserved) replaces(result, size, DH_HERE);
    maps(result, size, false, foreign, DH_HERE);
    return result;
}

/* ---- madvise ---- */

/* Does this throw away what only this process has? */
static bool throws_away(int advice) { return advice == MADV_DONTNEED || advice == MADV_FREE; }

/* A write to all of it, as by munmap, and then memory that is new. In a mapping of a file the
 * contents come back by themselves, and whoever reads them meanwhile notices nothing. */
INTERCEPT(int, madvise, (void *p, size_t size, int advice)) {
    bool matters = throws_away(advice) && !refused(p, size) && dh_checking()
                   && !dh_mapping_foreign(p, dh_whole_pages(size));
    if (matters) dh_memory_dies(p, dh_whole_pages(size), DH_HERE);
    int failed = REAL(madvise)(p, size, advice);
    if (matters && !failed) dh_memory_born(p, dh_whole_pages(size), DH_HERE);
    return failed;
}

/* ---- which pages are there, and memory of processes, which may be this one ---- */

ROW(int, mincore, (void *p, size_t size, unsigned char *to), (p, size, to), ,
    if (result == 0) WRITES_BYTES(to, dh_whole_pages(size) >> DH_PAGE_SHIFT))

#define TRANSFER(name, here_side, there_side)                                                      \
    ROW(                                                                                           \
        ssize_t, name,                                                                             \
        (pid_t process, struct iovec const *local, unsigned long count,                            \
         struct iovec const *remote, unsigned long remote_count, unsigned long flags),             \
        (process, local, count, remote, remote_count, flags), , if (result >= 0) {                 \
            READS_BYTES(remote, remote_count * sizeof *remote)                                     \
            if (process == getpid()) there_side(remote, (long)remote_count, (size_t)result, here); \
            here_side(local, (long)count, (size_t)result, here);                                   \
        })
TRANSFER(process_vm_readv, dh_vector_write, dh_vector_read)
TRANSFER(process_vm_writev, dh_vector_read, dh_vector_write)
