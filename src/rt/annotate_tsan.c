/* ThreadSanitizer's interface (sanitizer/tsan_interface.h), which programs call where
 * __has_feature(thread_sanitizer) is true, with its meaning. Fibers are in rt/fibers.c. */
#include "rt/access.h"
#include "rt/state.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT void __tsan_acquire(void *p) { dh_acquire(p); }
EXPORT void __tsan_release(void *p) { dh_release_join(p); }

/* ---- home-made mutexes ---- */

enum {
    LINKER_INIT = 1 << 0,
    READ_LOCK = 1 << 3,
    TRY_LOCK_FAILED = 1 << 5,
    RECURSIVE_LOCK = 1 << 6,
    RECURSIVE_UNLOCK = 1 << 7,
};

/* What the mutex does inside, from `pre` to `post`, is its own affair: neither its accesses nor
 * what it orders by other means count. */
static void inside_begin(void) {
    dh_ignore_begin();
    dh_ignore_sync_begin();
}

static void inside_end(void) {
    dh_ignore_sync_end();
    dh_ignore_end();
}

EXPORT void __tsan_mutex_create(void *mutex, unsigned flags) {
    if (!(flags & LINKER_INIT)) dh_sync_gone(mutex);
}

EXPORT void __tsan_mutex_destroy(void *mutex, unsigned flags) {
    (void)flags;
    dh_sync_gone(mutex);
}

EXPORT void __tsan_mutex_pre_lock(void *mutex, unsigned flags) {
    (void)mutex, (void)flags;
    inside_begin();
}

EXPORT void __tsan_mutex_post_lock(void *mutex, unsigned flags, int recursion) {
    inside_end();
    if (flags & TRY_LOCK_FAILED) return;
    if (flags & RECURSIVE_LOCK && recursion > 0)
        dh_lock_wait_end(mutex, (uint32_t)recursion, DH_HERE);
    else
        dh_lock_acquired(mutex, flags & READ_LOCK, DH_HERE);
}

EXPORT int __tsan_mutex_pre_unlock(void *mutex, unsigned flags) {
    int levels = 0;
    if (flags & RECURSIVE_UNLOCK)
        levels = (int)dh_lock_wait_begin(mutex);
    else
        dh_lock_releasing(mutex);
    inside_begin();
    return levels;
}

EXPORT void __tsan_mutex_post_unlock(void *mutex, unsigned flags) {
    (void)mutex, (void)flags;
    inside_end();
}

EXPORT void __tsan_mutex_pre_signal(void *mutex, unsigned flags) {
    (void)mutex, (void)flags;
    inside_begin();
}

EXPORT void __tsan_mutex_post_signal(void *mutex, unsigned flags) {
    (void)mutex, (void)flags;
    inside_end();
}

/* The mutex calls back into the program. */
EXPORT void __tsan_mutex_pre_divert(void *mutex, unsigned flags) {
    (void)mutex, (void)flags;
    inside_end();
}

EXPORT void __tsan_mutex_post_divert(void *mutex, unsigned flags) {
    (void)mutex, (void)flags;
    inside_begin();
}

EXPORT void __tsan_check_no_mutexes_held(void) {
    struct dh_thread *self = __dh_tls.self;
    if (!self || self->held_count == 0) return;
    dh_message(
        "thread T%u holds %u lock%s, the last one at %p, where the program says that it holds "
        "none (__tsan_check_no_mutexes_held)",
        self->number, self->held_count, self->held_count == 1 ? "" : "s",
        (void *)self->held[self->held_count - 1].lock.address);
}

/* ---- accesses that the compiler did not see ---- */

#define ACCESSES(size)                                                                          \
    EXPORT void __tsan_read##size(void *p) { dh_range_read(p, size, DH_HERE); }                 \
    EXPORT void __tsan_write##size(void *p) { dh_range_write(p, size, DH_HERE); }               \
    EXPORT void __tsan_unaligned_read##size(void const *p) { dh_range_read(p, size, DH_HERE); } \
    EXPORT void __tsan_unaligned_write##size(void *p) { dh_range_write(p, size, DH_HERE); }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

EXPORT void __tsan_read_range(void *p, unsigned long size) { dh_range_read(p, size, DH_HERE); }
EXPORT void __tsan_write_range(void *p, unsigned long size) { dh_range_write(p, size, DH_HERE); }

/* As if the access were at `pc`. */
static struct dh_here at(uintptr_t pc, struct dh_here here) {
    return (struct dh_here){pc, here.frame};
}
EXPORT void __tsan_read_range_pc(void *p, unsigned long size, uintptr_t pc) {
    dh_range_read(p, size, at(pc, DH_HERE));
}
EXPORT void __tsan_write_range_pc(void *p, unsigned long size, uintptr_t pc) {
    dh_range_write(p, size, at(pc, DH_HERE));
}

/* Objects of a library of which only the calls are seen: a call is an access to the object's first
 * byte. What the library calls its objects is not kept. */
EXPORT void *__tsan_external_register_tag(char const *type) { return (void *)type; }
EXPORT void __tsan_external_register_header(void *tag, char const *header) {
    (void)tag, (void)header;
}
EXPORT void __tsan_external_assign_tag(void *p, void *tag) { (void)p, (void)tag; }
EXPORT void __tsan_external_read(void *p, void *caller, void *tag) {
    (void)caller, (void)tag;
    dh_range_read(p, 1, DH_HERE);
}
EXPORT void __tsan_external_write(void *p, void *caller, void *tag) {
    (void)caller, (void)tag;
    dh_range_write(p, 1, DH_HERE);
}

/* There is nothing to throw away: history that is still needed would be lost. */
EXPORT void __tsan_flush_memory(void) {}
