/* In the place of the runtime, for programs whose checks are placed but not inlined: writes down which bytes
 * are checked, as what. Prints one line for each function and choice of parameters: how many bytes were
 * checked at all, and as written, and a hash of which. (A check of a write covers a read.) loops.py makes the
 * functions. What the accounts of open loops say is taken for checked, too: so it must have been accessed. */
#include "rt/abi.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ARENA = 1 << 18 };
__attribute__((aligned(64))) unsigned char arena[2][ARENA];
static unsigned char checked[2][sizeof arena]; /* as read, as written */
static size_t lowest, highest;                  /* checked bytes are from here to before there */

typedef void function(unsigned char *a, unsigned char *b, long n, long m);
extern function *const functions[];
extern size_t const function_count;
long volatile sink;

static void note(int write, void const *p, size_t size) {
    size_t at = (size_t)((unsigned char const *)p - arena[0]);
    if (at >= sizeof arena) return; /* not the arena's: the sink's */
    memset(checked[write] + at, 1, size);
    if (at < lowest) lowest = at;
    if (at + size > highest) highest = at + size;
}

#define CHECKS(bytes)                                                    \
    void __dh_check_read##bytes(void const *p) { note(0, p, bytes); }          \
    void __dh_check_write##bytes(void *p) { note(1, p, bytes); }         \
    void __dh_check_read##bytes##_unaligned(void const *p) { note(0, p, bytes); } \
    void __dh_check_write##bytes##_unaligned(void *p) { note(1, p, bytes); }
CHECKS(1)
CHECKS(2)
CHECKS(4)
CHECKS(8)
CHECKS(16)
void __dh_check_read_range(void const *p, size_t size) { note(0, p, size); }
void __dh_check_write_range(void *p, size_t size) { note(1, p, size); }

/* Of groups. All bytes are new, so nothing is missed. */
#define TESTS(name, bytes)                                                       \
    _Bool __dh_check_read_##name(void const *p) { return note(0, p, bytes), 1; }       \
    _Bool __dh_check_write_##name(void *p) { return note(1, p, bytes), 1; }
TESTS(words1, 4) TESTS(words2, 8) TESTS(words3, 12) TESTS(words4, 16)
TESTS(cells1, 8) TESTS(cells2, 16) TESTS(cells3, 24) TESTS(cells4, 32)
TESTS(cells5, 40) TESTS(cells6, 48) TESTS(cells7, 56) TESTS(cells8, 64)
static _Bool note_among(int write, char const *p, uint32_t cells) {
    for (; cells != 0; cells &= cells - 1)
        note(write, p + 8 * __builtin_ctz(cells), 8);
    return 1;
}
_Bool __dh_check_read_among(void const *p, uint32_t cells) { return note_among(0, p, cells); }
_Bool __dh_check_write_among(void const *p, uint32_t cells) { return note_among(1, p, cells); }
TESTS(span4, 16) TESTS(span6, 24) TESTS(span8, 32) TESTS(span10, 40)
TESTS(span12, 48) TESTS(span14, 56) TESTS(span16, 64)
#define MISSED(bytes)                                                            \
    void __dh_missed_read##bytes(void *p, _Bool same) { (void)same, (void)p; }   \
    void __dh_missed_write##bytes(void *p, _Bool same) { (void)same, (void)p; }
MISSED(4) MISSED(8) MISSED(16) MISSED(8_apart) MISSED(16_apart)
uint32_t __dh_missed_read_group(void const *p, size_t size, _Bool same) {
    return (void)p, (void)size, !same;
}
uint32_t __dh_missed_write_group(void *p, size_t size, _Bool same) {
    return (void)p, (void)size, !same;
}
void __dh_missed_read_member(void const *p, size_t size, uint32_t left) {
    (void)p, (void)size, (void)left;
}
void __dh_missed_write_member(void *p, size_t size, uint32_t left) {
    (void)p, (void)size, (void)left;
}
_Bool __dh_missed_read_row(void const *p, size_t size, size_t unit, _Bool same) {
    return (void)p, (void)size, (void)unit, same;
}
_Bool __dh_missed_write_row(void *p, size_t size, size_t unit, _Bool same) {
    return (void)p, (void)size, (void)unit, same;
}

static void note_run(int write, char const *p, size_t size, ptrdiff_t stride, size_t count) {
    if (count > ARENA) printf("a run of %zu\n", count), count = ARENA;
    for (size_t i = 0; i < count; i++)
        note(write, (char const *)((uintptr_t)p + i * (uintptr_t)stride), size);
}

/* ---- accounts ---- */

_Thread_local struct dh_tls __dh_tls;
void __dh_has_loops(void) {}

/* As rt/loops.c has it. */
static void note_account(struct dh_loop const *loop) {
    for (struct dh_loop_run const *r = loop->runs;; r++) {
        struct dh_loop_place const *place = r->place;
        size_t more = r->rounds < 2 || place->more == 0 ? 0 : place->more - 1;
        note_run(place->write, r->first, place->size, place->stride, r->rounds + more);
        if (place->last) return;
    }
}

/* What is checked behind a loop is in its account. */
static void must_be_there(int write, char const *p, size_t size, ptrdiff_t stride, size_t count) {
    struct dh_loop const *loop = __dh_tls.loops;
    for (struct dh_loop_run const *r = loop ? loop->runs : NULL; r; r++) {
        struct dh_loop_place const *place = r->place;
        if (place->write == write && place->size == size && place->stride == stride
            && (p != r->first || count <= r->rounds + place->more))
            return;
        if (place->last) break;
    }
    printf("%zu accesses of %zu bytes are on no account\n", count, size);
}

static void run(int write, char const *p, size_t size, ptrdiff_t stride, size_t count) {
    for (struct dh_loop const *loop = __dh_tls.loops; loop; loop = loop->outer)
        note_account(loop);
    note_run(write, p, size, stride, count);
}
void __dh_check_read_run(void const *p, size_t size, ptrdiff_t stride, size_t count) {
    run(0, p, size, stride, count);
}
void __dh_check_write_run(void *p, size_t size, ptrdiff_t stride, size_t count) {
    run(1, p, size, stride, count);
}

/* Of runs side by side: together, or each for itself. Both must be what is accessed. */
static _Bool by_themselves;
#define RUNS(verb, write, qualifier)                                                                         \
    uint32_t __dh_check_##verb##_runs(void qualifier *p, size_t size, ptrdiff_t stride, size_t count) {     \
        if (!by_themselves) run(write, p, size, stride, count);                                   \
        return by_themselves;                                                                     \
    }                                                                                             \
    void __dh_missed_##verb##_run(void qualifier *p, size_t size, ptrdiff_t stride, size_t count,           \
                                  uint32_t left) {                                                \
        if (left) run(write, p, size, stride, count);                                             \
    }
RUNS(read, 0, const)
RUNS(write, 1, )

#define FEW(bytes)                                                                                     \
    void __dh_check_read_few##bytes(void const *p, size_t size, ptrdiff_t stride, size_t count) {            \
        must_be_there(0, p, size, stride, count);                                                      \
        run(0, p, size, stride, count);                                                                \
    }                                                                                                  \
    void __dh_check_write_few##bytes(void *p, size_t size, ptrdiff_t stride, size_t count) {           \
        must_be_there(1, p, size, stride, count);                                                      \
        run(1, p, size, stride, count);                                                                \
    }
FEW(1)
FEW(2)
FEW(4)
FEW(8)

void __tsan_init(void) {} /* the stock sanitizer's constructor is still there */

static void print(size_t number, long n, long m) {
    size_t counts[2] = {0};
    uint64_t hash = 14695981039346656037u;
    for (int write = 0; write < 2; write++)
        for (size_t i = lowest; i < highest; i++)
            if (checked[1][i] || (!write && checked[0][i])) {
                counts[write]++;
                hash = (hash ^ (i * 2 + (size_t)write)) * 1099511628211u;
            }
    printf("%zu n=%ld m=%ld: %zu checked, %zu as written, %016llx\n", number, n, m, counts[0], counts[1],
           (unsigned long long)hash);
}

int main(void) {
    memset(arena, 1, sizeof arena);
    static long const ns[] = {0, 1, 2, 3, 7, 20, 33}, ms[] = {0, 1, 2, 5};
    for (size_t call = 0, f; (f = call / 2) < function_count; call++)
        for (size_t i = 0; i < sizeof ns / sizeof *ns; i++)
            for (size_t j = 0; j < sizeof ms / sizeof *ms; j++) {
                for (int write = 0; write < 2 && lowest < highest; write++)
                    memset(checked[write] + lowest, 0, highest - lowest);
                lowest = sizeof arena, highest = 0;
                by_themselves = call % 2;
                functions[f](arena[0], arena[1], ns[i], ms[j]);
                print(f, ns[i], ms[j]);
            }
}
