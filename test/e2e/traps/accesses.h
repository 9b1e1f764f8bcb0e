/* Accesses of every width and kind, and exactly the bytes that each touches: a table for the two programs
 * that hold the checks against it. */
#ifndef DEADHEAT_TEST_ACCESSES_H
#define DEADHEAT_TEST_ACCESSES_H

#include "access/cases.h"

#include <immintrin.h>
#include <stdarg.h>
#include <string.h>

enum { PAGE = 4096, ROOM = 4 * PAGE };

/* The cases work somewhere in here. */
static _Alignas(PAGE) char m[ROOM];

typedef _BitInt(37) bits37;
typedef int v4 __attribute__((vector_size(16)));
typedef int v8 __attribute__((vector_size(32)));
typedef int v16 __attribute__((vector_size(64)));
struct fields {
    char before;
    unsigned a : 3, b : 5;
    char between;
    unsigned c : 11, d : 5;
    char after;
};
struct large {
    int words[10];
};
struct small {
    int words[3];
};

/* The value is needed, so the read stays; the destination is the running thread's own. */
#define USE(value)                                                                                      \
    do {                                                                                                \
        __typeof__(value) used = value;                                                                 \
        __asm__ volatile("" : : "r"(&used) : "memory");                                                 \
    } while (0)
#define AT(T, offset) (*(T *)(m + (offset)))
#define UNALIGNED(T, offset)                                                                            \
    (((struct __attribute__((packed)) { T value; } *)(m + (offset)))->value)

/* X(name, what is done, first byte, bytes, 'r' or 'w') */
#define BOTH(X, name, lvalue, first, size)                                                              \
    X(name##_read, USE(lvalue), first, size, 'r')                                                       \
    X(name##_write, CLEAR(lvalue), first, size, 'w')
#define CLEAR(lvalue) ((lvalue) = (__typeof__(lvalue)){0})

#define WIDTHS(X)                                                                                       \
    BOTH(X, byte, AT(char, 67), 67, 1)                                                                  \
    BOTH(X, two, AT(short, 66), 66, 2)                                                                  \
    BOTH(X, four, AT(int, 68), 68, 4)                                                                   \
    BOTH(X, eight, AT(long, 72), 72, 8)                                                                 \
    BOTH(X, sixteen, AT(__int128, 80), 80, 16)                                                          \
    BOTH(X, pointer, AT(char *, 64), 64, 8)                                                             \
    BOTH(X, bool, AT(_Bool, 65), 65, 1)                                                                 \
    BOTH(X, float, AT(float, 68), 68, 4)                                                                \
    BOTH(X, double, AT(double, 72), 72, 8)                                                              \
    BOTH(X, long_double, AT(long double, 64), 64, 10)                                                   \
    BOTH(X, bits37, AT(bits37, 64), 64, 8)                                                              \
    BOTH(X, v4, AT(v4, 64), 64, 16)                                                                     \
    BOTH(X, v8, AT(v8, 64), 64, 32)                                                                     \
    BOTH(X, v16, AT(v16, 128), 128, 64)                                                                 \
    X(increment, AT(int, 64)++, 64, 4, 'w')                                                             \
    X(volatile_read, (void)AT(short volatile, 66), 66, 2, 'r')                                          \
    X(volatile_write, AT(short volatile, 66) = 1, 66, 2, 'w')                                           \
    X(nontemporal_read, USE(__builtin_nontemporal_load(&AT(v4, 64))), 64, 16, 'r')                      \
    X(nontemporal_write, __builtin_nontemporal_store(1, &AT(int, 64)), 64, 4, 'w')

/* Across cells of eight bytes, lines, pages. */
#define UNALIGNEDS(X)                                                                                   \
    BOTH(X, two_within, UNALIGNED(short, 65), 65, 2)                                                    \
    BOTH(X, two_across, UNALIGNED(short, 71), 71, 2)                                                    \
    BOTH(X, four_within, UNALIGNED(int, 65), 65, 4)                                                     \
    BOTH(X, four_across, UNALIGNED(int, 70), 70, 4)                                                     \
    BOTH(X, eight_across, UNALIGNED(long, 65), 65, 8)                                                   \
    BOTH(X, eight_at_four, UNALIGNED(long, 68), 68, 8)                                                  \
    BOTH(X, sixteen_across, UNALIGNED(__int128, 67), 67, 16)                                            \
    BOTH(X, v4_across, UNALIGNED(v4, 67), 67, 16)                                                       \
    BOTH(X, v8_across, UNALIGNED(v8, 67), 67, 32)                                                       \
    BOTH(X, v16_across, UNALIGNED(v16, 67), 67, 64)                                                     \
    BOTH(X, page_two, UNALIGNED(short, PAGE - 1), PAGE - 1, 2)                                          \
    BOTH(X, page_eight, UNALIGNED(long, PAGE - 3), PAGE - 3, 8)                                         \
    BOTH(X, page_v16, UNALIGNED(v16, PAGE - 17), PAGE - 17, 64)

/* Bit-fields: the bytes that hold them, and their neighbours in those. */
#define BIT_FIELDS(X)                                                                                   \
    X(field_read, USE((int)AT(struct fields, 64).b), 65, 1, 'r')                                        \
    X(field_write, AT(struct fields, 64).a = 1, 65, 1, 'w')                                             \
    X(wide_field_read, USE((int)AT(struct fields, 64).d), 68, 2, 'r')                                   \
    X(wide_field_write, AT(struct fields, 64).c = 1, 68, 2, 'w')

/* Structs, and memory as bytes. */
#define WHOLES(X)                                                                                       \
    X(struct_read, USE(AT(struct large, 68)), 68, 40, 'r')                                              \
    X(struct_write, AT(struct large, 68) = large, 68, 40, 'w')                                          \
    X(struct_small_read, USE(AT(struct small, 68)), 68, 12, 'r')                                        \
    X(struct_small_write, AT(struct small, 68) = (struct small){{1}}, 68, 12, 'w')                      \
    X(struct_passed, pass(AT(struct large, 68)), 68, 40, 'r')                                           \
    X(struct_small_passed, pass_small(AT(struct small, 68)), 68, 12, 'r')                               \
    X(struct_returned, AT(struct large, 68) = give(), 68, 40, 'w')                                      \
    X(struct_small_returned, AT(struct small, 68) = give_small(), 68, 12, 'w')                          \
    X(struct_in_varargs, pass_many(1, AT(struct large, 68)), 68, 40, 'r')                               \
    X(varargs, pass_many(0, AT(long, 64)), 64, 8, 'r')                                                  \
    X(memcpy_read, memcpy(own, m + 67, 21), 67, 21, 'r')                                                \
    X(memcpy_write, memcpy(m + 67, own, 21), 67, 21, 'w')                                               \
    X(memmove_read, memmove(own, m + 67, 21), 67, 21, 'r')                                              \
    X(memmove_write, memmove(m + 67, own, 21), 67, 21, 'w')                                             \
    X(memset_write, memset(m + 67, 1, 21), 67, 21, 'w')                                                 \
    X(memcpy_n_read, memcpy(own, m + 67, many), 67, 300, 'r')                                           \
    X(memcpy_n_write, memcpy(m + 67, own, many), 67, 300, 'w')                                          \
    X(memmove_n_write, memmove(m + 67, own, many), 67, 300, 'w')                                        \
    X(memset_n_write, memset(m + 67, 1, many), 67, 300, 'w')                                            \
    X(memcpy_none, memcpy(m + 67, own, none), 67, 0, 'w')                                               \
    X(memset_pages, memset(m + 67, 1, 2 * PAGE), 67, 2 * PAGE, 'w')                                     \
    X(loop, loop(m + 67, 21), 67, 21, 'w')

/* What needs a processor of some age. Lanes 1 and 2 of four are meant. The pointer is not known to point to
 * as much as all lanes: where it is, the optimiser makes of a masked load a whole one. */
#define LANES(X)                                                                                        \
    X(avx2, maskload, masked_load(lanes), 68, 8, 'r')                                                   \
    X(avx2, maskstore, masked_store(lanes), 68, 8, 'w')                                                 \
    X(avx2, gather, gathered(lanes), 68, 8, 'r')                                                        \
    X(avx2, gather_far, gathered_far(lanes), 68, 4, 'r')                                                \
    X(avx2, gather_floats, gathered_floats((float *)lanes), 68, 8, 'r')                                 \
    X(sse3, lddqu, loaded_unaligned((char *)lanes + 3), 67, 16, 'r')                                    \
    X(avx512f, masked_read, masked_read(lanes), 68, 8, 'r')                                             \
    X(avx512f, masked_write, masked_write(lanes), 68, 8, 'w')                                           \
    X(avx512f, expand, expand(lanes), 64, 8, 'r')                                                       \
    X(avx512f, compress, compress(lanes), 64, 8, 'w')                                                   \
    X(avx512f, gather512, gathered512(lanes), 68, 8, 'r')                                               \
    X(avx512f, scatter, scattered(lanes), 68, 8, 'w')                                                   \
    X(sse2, maskmove, masked_bytes((char *)lanes + 1), 69, 8, 'w')

static struct large large;
static _Thread_local char own[ROOM];
static size_t volatile many = 300, none = 0;
static int *volatile lanes = (int *)(m + 64);

#define NOINLINE __attribute__((noinline))
static NOINLINE void pass(struct large s) { __asm__ volatile("" : : "r"(&s) : "memory"); }
static NOINLINE void pass_small(struct small s) { __asm__ volatile("" : : "r"(&s) : "memory"); }
static NOINLINE struct large give(void) { return (struct large){{(int)many}}; }
static NOINLINE struct small give_small(void) { return (struct small){{(int)many}}; }
static NOINLINE void pass_many(int structs, ...) {
    va_list list;
    va_start(list, structs);
    if (structs)
        USE(va_arg(list, struct large));
    else
        USE(va_arg(list, long));
    va_end(list);
}
static NOINLINE void loop(char *p, int n) {
    for (int i = 0; i < n; i++)
        p[i]++;
}

#define TARGET(names) __attribute__((target(names))) static NOINLINE void
TARGET("avx2") masked_load(int *p) {
    USE(_mm_maskload_epi32(p, _mm_setr_epi32(0, -1, -1, 0)));
}
TARGET("avx2") masked_store(int *p) {
    _mm_maskstore_epi32(p, _mm_setr_epi32(0, -1, -1, 0), _mm_setzero_si128());
}
TARGET("avx2") gathered(int *p) {
    USE(_mm_mask_i32gather_epi32(_mm_setzero_si128(), p, _mm_setr_epi32(0, 1, 2, 3),
                                 _mm_setr_epi32(0, -1, -1, 0), 4));
}
/* Two indices for four lanes: the last two count for nothing. */
TARGET("avx2") gathered_far(int *p) {
    USE(_mm_mask_i64gather_epi32(_mm_setzero_si128(), p + 100, _mm_set_epi64x(-198, 0),
                                 _mm_setr_epi32(0, -1, -1, -1), 2));
}
TARGET("avx2") gathered_floats(float *p) {
    __m256i mask = _mm256_setr_epi32(0, 0, 0, 0, 0, -1, -1, 0);
    USE(_mm256_mask_i32gather_ps(_mm256_setzero_ps(), p, _mm256_setr_epi32(9, 9, 9, 9, 9, 4, 8, 9),
                                 _mm256_castsi256_ps(mask), 1));
}
TARGET("sse3") loaded_unaligned(char *p) { USE(_mm_lddqu_si128((__m128i *)p)); }
TARGET("avx512f") masked_read(int *p) { USE(_mm512_maskz_loadu_epi32(6, p)); }
TARGET("avx512f") masked_write(int *p) { _mm512_mask_storeu_epi32(p, 6, _mm512_setzero_si512()); }
TARGET("avx512f") expand(int *p) { USE(_mm512_maskz_expandloadu_epi32(6, p)); }
TARGET("avx512f") compress(int *p) { _mm512_mask_compressstoreu_epi32(p, 6, _mm512_setzero_si512()); }
TARGET("avx512f") gathered512(int *p) {
    __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    USE(_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), 6, lanes, p, 4));
}
TARGET("avx512f") scattered(int *p) {
    __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    _mm512_mask_i32scatter_epi32(p, 6, lanes, _mm512_setzero_si512(), 4);
}
TARGET("sse2") masked_bytes(char *p) {
    _mm_maskmoveu_si128(_mm_setzero_si128(), _mm_setr_epi32(0, -1, -1, 0), p);
}

static struct access {
    char const *name;
    void (*access)(void);
    size_t first, size;
    int kind;
    int possible;
} accesses[128];
static int access_count;

static inline void add(char const *name, void (*access)(void), size_t first, size_t size, int kind,
                       int possible) {
    CHECK(access_count < 128);
    accesses[access_count++] = (struct access){name, access, first, size, kind, possible};
}

#define DEFINE(name, code, first, size, kind) static void access_##name(void) { code; }
#define DEFINE_LANES(target, name, code, first, size, kind) DEFINE(name, code, first, size, kind)
#define ADD(name, code, first, size, kind) add(#name, access_##name, first, size, kind, 1);
#define ADD_LANES(target, name, code, first, size, kind)                                                \
    add(#name, access_##name, first, size, kind, __builtin_cpu_supports(#target));

WIDTHS(DEFINE) UNALIGNEDS(DEFINE) BIT_FIELDS(DEFINE) WHOLES(DEFINE) LANES(DEFINE_LANES)

static inline void add_all(void) {
    WIDTHS(ADD) UNALIGNEDS(ADD) BIT_FIELDS(ADD) WHOLES(ADD) LANES(ADD_LANES)
}

/* The other thread's part: one byte, by code of its own for each place and kind, so that no report is
 * folded into another's. */
static char volatile *place;
static void read_byte(void) { (void)*place; }
static void write_byte(void) { *place = 1; }

#endif
