/* The runtime's own ground: memory, text, system calls, locks. It lives inside somebody else's
 * process, so nothing here calls malloc, stdio or anything that a program may intercept or be in
 * the middle of. */
#ifndef DEADHEAT_RT_BASE_H
#define DEADHEAT_RT_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DH_LIKELY(x) __builtin_expect(!!(x), 1)
#define DH_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* It is going to be written, by an interlocked instruction, which waits until no other processor
 * has the line: better to ask for it while there is something else to do. */
static inline void dh_prefetch_write(void const *p) {
    __asm__ volatile("prefetchw %0" : : "m"(*(char const *)p));
}
/* A large table without initial values, of which few pages are used. They lie together, behind the
 * other variables: else these would be in a page each. */
#define DH_TABLE __attribute__((section(".bss.tables")))
#define DH_COLD __attribute__((cold, noinline))
/* For a variable of the runtime that is looked at often: its place is known, and need not be looked
 * up. */
#define DH_HIDDEN __attribute__((visibility("hidden")))

/* Pages from the kernel, zeroed. Null if there are none left. */
void *dh_pages(size_t size);
void dh_pages_free(void *p, size_t size);
/* A large lazily committed reservation, readable and writable, not counted against memory until
 * used. */
void *dh_reserve(size_t size);

/* Small objects, by size class; zeroed. When memory is out these say so once and stop the process:
 * a detector that goes on without its records would lie. */
void *dh_alloc(size_t size);
void dh_free(void *p, size_t size);
/* A list of `count` items, moved if need be so that there is room for one more. */
void *dh_grow(void *list, uint32_t count, uint32_t *room, size_t item);

/* Text. A message is one write(2) to standard error (or the log), with the prefix every message
 * has. */
void dh_message(char const *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void dh_die(char const *format, ...) __attribute__((format(printf, 1, 2)));
/* snprintf for %s %d %u %x %lu %lx %llu %llx %zu %p %c %% with width and zero padding; always
 * terminates; returns what the whole text would have needed. */
size_t dh_format(char *to, size_t room, char const *format, ...)
    __attribute__((format(printf, 3, 4)));
size_t dh_vformat(char *to, size_t room, char const *format, va_list args);
void dh_write_all(int fd, char const *text, size_t length);

/* memcpy and friends that are nobody's interceptor. */
void *dh_copy(void *to, void const *from, size_t size);
void *dh_move(void *to, void const *from, size_t size); /* may overlap */
void *dh_fill(void *to, int byte, size_t size);
int dh_compare(void const *a, void const *b, size_t size);
size_t dh_length(char const *s);
bool dh_same_text(char const *a, char const *b);

/* System calls, raw: -errno on failure, errno itself untouched. */
long dh_syscall(long number, ...);

/* A lock for the runtime's own data: futex underneath, never held across anything that blocks, and
 * only inside a critical section of the running thread (rt/critical.h), so that no signal handler
 * can find it held by the thread it interrupted. */
struct dh_mutex {
    uint32_t state; /* 0 free, 1 held, 2 held and waited for */
};
void dh_mutex_lock_slow(struct dh_mutex *m);
void dh_mutex_unlock_slow(struct dh_mutex *m);

static inline void dh_mutex_lock(struct dh_mutex *m) {
    uint32_t free = 0;
    if (DH_UNLIKELY(!__atomic_compare_exchange_n(&m->state, &free, 1, false, __ATOMIC_ACQUIRE,
                                                 __ATOMIC_RELAXED)))
        dh_mutex_lock_slow(m);
}
static inline void dh_mutex_unlock(struct dh_mutex *m) {
    if (DH_UNLIKELY(__atomic_exchange_n(&m->state, 0, __ATOMIC_RELEASE) == 2))
        dh_mutex_unlock_slow(m);
}

#endif
