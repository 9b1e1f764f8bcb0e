/* The malloc family. libc's allocator does the work, under names that need no lookup and so can be
 * called before anything else is ready.
 *
 * A block's birth is a write by its thread, its death another, and realloc is
 * both, even where libc leaves the block in its place. Blocks live behind a header of 16 bytes
 * (blocks.h). A pointer that is no block of ours goes to libc untouched, unless it is known to be
 * bad: then it aborts as it always did.
 *
 * Switched off (enabled=0), blocks have no header, and these are calls of libc. A program that
 * brings an allocator has no blocks of ours, unless it calls what it does not define.
 */
#include "rt/history.h"
#include "rt/intercept/blocks.h"
#include "rt/intercept/intercept.h"
#include "rt/options.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default"), weak))

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *p, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *p);

/* Calls of libc's allocator, over which no handler runs (rt/critical.h). */
static void *libc_malloc(size_t size) {
    dh_signals_hold();
    void *p = __libc_malloc(size);
    dh_signals_let();
    return p;
}

static void *libc_calloc(size_t size) {
    dh_signals_hold();
    void *p = __libc_calloc(1, size);
    dh_signals_let();
    return p;
}

static void *libc_realloc(void *old, size_t size) {
    dh_signals_hold();
    void *p = __libc_realloc(old, size);
    dh_signals_let();
    return p;
}

static void *libc_memalign(size_t alignment, size_t size) {
    dh_signals_hold();
    void *p = __libc_memalign(alignment, size);
    dh_signals_let();
    return p;
}

static void libc_free(void *p) {
    dh_signals_hold();
    __libc_free(p);
    dh_signals_let();
}

enum { PLAIN_SHIFT = 4 }; /* blocks of no particular alignment */
_Static_assert(1 << PLAIN_SHIFT == sizeof(struct dh_block_header), "");

static void *no_memory(void) {
    errno = ENOMEM;
    return 0;
}

/* The block is the running thread's, whatever it was before. A thread that libc made for itself
 * does not become known by libc's own allocations, the last of which come when it has nearly ended.
 * What the dynamic linker allocates, the names of libraries say, it shows to all threads, under a
 * lock that is not seen (dl_iterate_phdr). */
static void block_written(void const *p, size_t size, struct dh_here here) {
    struct dh_thread const *self = __dh_tls.self;
    bool nobodys = DH_UNLIKELY(!self) ? dh_is_libc(here.pc)
                                      : dh_is_loader(here.pc) && self->life != DH_FINISHED;
    if (DH_UNLIKELY(nobodys))
        dh_memory_fresh(p, size);
    else
        dh_memory_born(p, size, here);
}

/* Makes a block of what libc gave. */
static void *block_begin(void *start, size_t size, unsigned shift, struct dh_here here) {
    if (!start) return 0;
    void *p = (char *)start + ((size_t)1 << shift);
    *dh_block_header(p) = (struct dh_block_header){
        .size = size,
        .shift = shift,
        .stack = dh_context_capture(here),
        .thread = __dh_tls.self ? __dh_tls.self->number : 0,
    };
    if (!dh_block_add(p)) {
        libc_free(start);
        return no_memory();
    }
    if (!dh_alone_now) block_written(p, size, here);
    return p;
}

/* Too large for any object, header included. */
static bool too_large(size_t size, unsigned shift) {
    return size > PTRDIFF_MAX - ((size_t)1 << shift);
}

static void *allocate(size_t size, struct dh_here here) {
    if (!dh_options.enabled) return libc_malloc(size);
    if (too_large(size, PLAIN_SHIFT)) return no_memory();
    return block_begin(libc_malloc(size + (1 << PLAIN_SHIFT)), size, PLAIN_SHIFT, here);
}

static void *allocate_zeroed(size_t size, struct dh_here here) {
    if (!dh_options.enabled) return libc_calloc(size);
    if (too_large(size, PLAIN_SHIFT)) return no_memory();
    return block_begin(libc_calloc(size + (1 << PLAIN_SHIFT)), size, PLAIN_SHIFT, here);
}

/* Any alignment: one that is no power of two is rounded up, as libc does. */
static void *allocate_aligned(size_t alignment, size_t size, struct dh_here here) {
    if (!dh_options.enabled) return libc_memalign(alignment, size);
    if (alignment <= 1 << PLAIN_SHIFT) return allocate(size, here);
    if (alignment > SIZE_MAX / 2 + 1) {
        errno = EINVAL;
        return 0;
    }
    unsigned shift = 64 - (unsigned)__builtin_clzl(alignment - 1);
    if (shift == 63 || too_large(size, shift)) return no_memory();
    size_t offset = (size_t)1 << shift;
    return block_begin(libc_memalign(offset, size + offset), size, shift, here);
}

/* A write to the whole block, while it can still be found for a report. False: it is none of ours,
 * or another thread freed it meanwhile.
 *
 * libc passes blocks of its own from thread to thread, and what orders that is not seen (the
 * descriptor of a thread's TLS comes with a cached stack): the write is recorded, but not held
 * against others. */
static bool block_end(void *p, struct dh_here here) {
    if (!dh_block_is(p)) return false;
    if (!dh_alone_now) {
        size_t size = dh_block_header(p)->size;
        if (DH_UNLIKELY(dh_is_libc(here.pc)))
            block_written(p, size, here);
        else
            dh_memory_dies(p, size, here);
    }
    dh_block_remember(p);
    return dh_block_remove(p);
}

/* No block of ours: libc's own, or bad. Of a pointer into one of ours libc would make what it can
 * of our header, and a block freed before has whatever libc keeps in free memory. */
DH_COLD static void refuse_bad(void *p, char const *function) {
    struct dh_block block;
    if (!dh_options.enabled || !dh_heap_find((uintptr_t)p, &block)) return;
    if (block.freed && block.address != (uintptr_t)p) return;
    char text[64];
    size_t n = dh_format(text, sizeof text, "%s(): %s\n", function,
                         block.freed ? "double free detected" : "invalid pointer");
    dh_write_all(STDERR_FILENO, text, n);
    abort();
}

static void release(void *p, struct dh_here here) {
    if (!p) return;
    if (block_end(p, here)) {
        libc_free(dh_block_start(p));
    } else {
        refuse_bad(p, "free");
        libc_free(p);
    }
}

/* libc moves the block, or grows it where it is, or has the kernel move its pages; the header is
 * part of it. The alignment of an aligned block may be lost, the distance to its start is kept. */
static void *resize(void *p, size_t size, struct dh_here here) {
    if (!p) return allocate(size, here);
    if (!dh_block_is(p)) {
        refuse_bad(p, "realloc");
        return libc_realloc(p, size);
    }
    if (size == 0) {
        release(p, here);
        return 0;
    }
    unsigned shift = dh_block_header(p)->shift;
    if (too_large(size, shift)) return no_memory();
    if (!block_end(p, here)) abort(); /* freed by another thread, this very moment */
    void *start = libc_realloc(dh_block_start(p), size + ((size_t)1 << shift));
    if (start) return block_begin(start, size, shift, here);
    dh_block_add(p); /* it lives on */
    return 0;
}

static void *own_malloc(size_t size) { return allocate(size, DH_HERE); }

EXPORT __attribute__((alias("own_malloc"))) void *malloc(size_t size);

void *dh_malloc_at(size_t size, struct dh_here here) {
    return DH_LIKELY(malloc == own_malloc) ? allocate(size, here) : malloc(size);
}

EXPORT void *calloc(size_t count, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) return no_memory();
    return allocate_zeroed(total, DH_HERE);
}

EXPORT void *realloc(void *p, size_t size) { return resize(p, size, DH_HERE); }

EXPORT void *reallocarray(void *p, size_t count, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) return no_memory();
    return resize(p, total, DH_HERE);
}

EXPORT void free(void *p) { release(p, DH_HERE); }

EXPORT void *memalign(size_t alignment, size_t size) {
    return allocate_aligned(alignment, size, DH_HERE);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size) {
    return allocate_aligned(alignment, size, DH_HERE);
}

EXPORT int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
        return EINVAL;
    int before = errno;
    void *p = allocate_aligned(alignment, size, DH_HERE);
    errno = before;
    if (!p) return ENOMEM;
    *result = p;
    return 0;
}

static size_t page(void) { return (size_t)getpagesize(); }

EXPORT void *valloc(size_t size) { return allocate_aligned(page(), size, DH_HERE); }

EXPORT void *pvalloc(size_t size) {
    size_t rounded = (size + page() - 1) & ~(page() - 1);
    if (rounded < size) return no_memory();
    return allocate_aligned(page(), rounded, DH_HERE);
}

/* The bytes asked for, and no more: only of those has the history been forgotten. */
INTERCEPT(size_t, malloc_usable_size, (void *p)) {
    return dh_block_is(p) ? dh_block_header(p)->size : REAL(malloc_usable_size)(p);
}
