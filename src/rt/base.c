#include "rt/base.h"
#include "rt/critical.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>

long dh_syscall(long number, ...) {
    va_list args;
    va_start(args, number);
    long a = va_arg(args, long), b = va_arg(args, long), c = va_arg(args, long);
    register long d __asm__("r10") = va_arg(args, long);
    register long e __asm__("r8") = va_arg(args, long);
    register long f __asm__("r9") = va_arg(args, long);
    va_end(args);
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(d), "r"(e), "r"(f)
                     : "rcx", "r11", "memory");
    return result;
}

/* ---- memory ---- */

/* Where Linux puts nothing by itself, behind the tables of rt/layout.h and before shadow. Anywhere
 * else the runtime could get into a hole that the program keeps for itself: unmapped, and mapped
 * again at that very address. Only a hint: when all of it has been used once the kernel chooses. */
#define OWN_PLACE 0x118000000000ul
#define OWN_ROOM 0x038000000000ul

static void *map(size_t size, int flags) {
    static uintptr_t used;
    uintptr_t whole = (size + 4095) & ~(uintptr_t)4095;
    uintptr_t at = OWN_PLACE + __atomic_fetch_add(&used, whole, __ATOMIC_RELAXED) % OWN_ROOM;
    long p = dh_syscall(SYS_mmap, at, size, (long)(PROT_READ | PROT_WRITE),
                        (long)(MAP_PRIVATE | MAP_ANONYMOUS | flags), -1l, 0l);
    return p < 0 && p > -4096 ? 0 : (void *)p;
}

void *dh_pages(size_t size) { return map(size, 0); }

void dh_pages_free(void *p, size_t size) { dh_syscall(SYS_munmap, p, size, 0l, 0l, 0l, 0l); }

void *dh_reserve(size_t size) {
    void *p = map(size, MAP_NORESERVE);
    if (p) dh_syscall(SYS_madvise, p, size, (long)MADV_DONTDUMP, 0l, 0l, 0l);
    return p;
}

/* Sizes are rounded up to a class, a multiple of 16: four to each power of two above 64. Each class
 * has a list of free pieces. What is larger than any class comes straight from the kernel. */
enum { CLASSES = 64, STEP = 16, LINE = 64, LARGEST_SHARED = 32 << 10, CHUNK = 1 << 20 };

static struct {
    struct dh_mutex lock;
    void *free[CLASSES];
    char *chunk;
    size_t left;
} heap;

static size_t class_size(unsigned class) {
    if (class < 4) return (class + 1) * STEP;
    return (size_t)(5 + class % 4) << (class / 4 - 1) << 4;
}

static unsigned class_of(size_t size) {
    if (size <= 4 * STEP) return size == 0 ? 0 : (unsigned)((size - 1) / STEP);
    unsigned top = 63 - (unsigned)__builtin_clzl(size - 1); /* 2^top < size <= 2^(top + 1) */
    return 4 * (top - 5) + (unsigned)((size - 1) >> (top - 2) & 3);
}

static _Noreturn void out_of_memory(size_t size) {
    dh_die("out of memory: %zu bytes for the runtime's records could not be had. Checking cannot "
           "go on "
           "without them. Give the process more memory, or run with DEADHEAT_OPTIONS=enabled=0.",
           size);
}

/* What fills whole lines of the cache has them to itself: threads write their own all the time.
 * Chunks end where a line does. */
static void *carve(size_t size) {
    size_t gap = size % LINE == 0 ? heap.left % LINE : 0;
    if (gap != 0) {
        heap.chunk += gap;
        heap.left -= gap;
    }
    if (heap.left < size) {
        heap.chunk = dh_pages(CHUNK);
        heap.left = CHUNK;
        if (!heap.chunk) out_of_memory(CHUNK);
    }
    void *p = heap.chunk;
    heap.chunk += size;
    heap.left -= size;
    return p;
}

void *dh_alloc(size_t size) {
    if (size > LARGEST_SHARED) {
        void *p = dh_pages(size);
        if (!p) out_of_memory(size);
        return p;
    }
    unsigned class = class_of(size);
    dh_critical_enter();
    dh_mutex_lock(&heap.lock);
    void **p = heap.free[class];
    bool used = p != 0;
    if (used)
        heap.free[class] = *p;
    else
        p = carve(class_size(class));
    dh_mutex_unlock(&heap.lock);
    dh_critical_leave();
    if (used) dh_fill(p, 0, size);
    return p;
}

void dh_free(void *p, size_t size) {
    if (!p) return;
    if (size > LARGEST_SHARED) {
        dh_pages_free(p, size);
        return;
    }
    unsigned class = class_of(size);
    dh_critical_enter();
    dh_mutex_lock(&heap.lock);
    *(void **)p = heap.free[class];
    heap.free[class] = p;
    dh_mutex_unlock(&heap.lock);
    dh_critical_leave();
}

void *dh_grow(void *list, uint32_t count, uint32_t *room, size_t item) {
    if (count < *room) return list;
    uint32_t more = *room ? 2 * *room : 4;
    void *larger = dh_alloc(more * item);
    dh_copy(larger, list, count * item);
    dh_free(list, *room * item);
    *room = more;
    return larger;
}

/* ---- locks ---- */

void dh_mutex_lock_slow(struct dh_mutex *m) {
    for (int spin = 0; spin < 100; spin++) {
        uint32_t free = 0;
        if (__atomic_load_n(&m->state, __ATOMIC_RELAXED) == 0
            && __atomic_compare_exchange_n(&m->state, &free, 1, false, __ATOMIC_ACQUIRE,
                                           __ATOMIC_RELAXED))
            return;
        __builtin_ia32_pause();
    }
    while (__atomic_exchange_n(&m->state, 2, __ATOMIC_ACQUIRE) != 0)
        dh_syscall(SYS_futex, &m->state, (long)FUTEX_WAIT_PRIVATE, 2l, 0l, 0l, 0l);
}

void dh_mutex_unlock_slow(struct dh_mutex *m) {
    dh_syscall(SYS_futex, &m->state, (long)FUTEX_WAKE_PRIVATE, 1l, 0l, 0l, 0l);
}

/* ---- bytes ---- */

void *dh_copy(void *to, void const *from, size_t size) {
    void *start = to;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
    return start;
}

void *dh_move(void *to, void const *from, size_t size) {
    if ((uintptr_t)to - (uintptr_t)from >= size) return dh_copy(to, from, size);
    for (size_t i = size; i-- > 0;)
        ((char *)to)[i] = ((char const *)from)[i];
    return to;
}

void *dh_fill(void *to, int byte, size_t size) {
    void *start = to;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(byte) : "memory");
    return start;
}

int dh_compare(void const *a, void const *b, size_t size) {
    unsigned char const *x = a, *y = b;
    for (size_t i = 0; i < size; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

size_t dh_length(char const *s) {
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

bool dh_same_text(char const *a, char const *b) {
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}
