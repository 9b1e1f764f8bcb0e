/* A spin lock in assembly, which only ThreadSanitizer's mutex annotations make known. */
#ifndef DEADHEAT_TEST_MUTEX_H
#define DEADHEAT_TEST_MUTEX_H

#include "test.h"
#include <sanitizer/tsan_interface.h>

/* What the compiler calls, and programs that make code by themselves. */
void __tsan_write4(void *p);
void __tsan_unaligned_read4(void const *p);
void __tsan_read_range(void *p, unsigned long size);
void __tsan_write_range(void *p, unsigned long size);

struct mutex {
    int taken;
    unsigned long times; /* plain, and not always changed with the mutex taken */
};

static inline int mutex_take(struct mutex *m) {
    int old = 1;
    __asm__ volatile("xchgl %0, %1" : "+r"(old), "+m"(m->taken) : : "memory");
    return !old;
}

static inline int mutex_try(struct mutex *m, unsigned kind) {
    __tsan_mutex_pre_lock(m, __tsan_mutex_try_lock | kind);
    m->times++;
    int taken = mutex_take(m);
    __tsan_mutex_post_lock(m, __tsan_mutex_try_lock | kind | (taken ? 0 : __tsan_mutex_try_lock_failed), 0);
    return taken;
}

static inline void mutex_lock(struct mutex *m) {
    __tsan_mutex_pre_lock(m, 0);
    m->times++;
    while (!mutex_take(m)) {}
    __tsan_mutex_post_lock(m, 0, 0);
}

static inline void mutex_unlock(struct mutex *m, unsigned kind) {
    __tsan_mutex_pre_unlock(m, kind);
    m->times++;
    __asm__ volatile("movl $0, %0" : "=m"(m->taken) : : "memory");
    __tsan_mutex_post_unlock(m, kind);
}

#endif
