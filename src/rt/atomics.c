/* Atomic operations and fences. The operation itself, the change of its clock and the record of the
 * access are one step under the lock of the location's record. So a load that saw a value also sees
 * the clock that came with it; and whoever is ordered after an operation by its value, and then
 * frees the memory, say, finds it on record, and is not taken for somebody who came before.
 *
 * The clock of a location is its release sequences (core/heads.h): one head for each release
 * operation that a load reading the present value synchronises with. A store starts over: with its
 * own clock if it releases, with that of an earlier release fence if there was one. In C a later
 * store by the same thread continues its sequences; in C++20 it does not. A read-modify-write
 * continues all sequences, and adds its own head if it releases. A relaxed load puts the clock
 * aside for a later acquire fence.
 */
#include "rt/footprint.h"
#include "rt/atomics.h"
#include "rt/history.h"
#include "rt/judge.h"
#include "rt/last.h"
#include "rt/own.h"
#include "rt/shadow.h"
#include "rt/stats.h"
#include "rt/tape.h"

#include <cpuid.h>

#define EXPORT __attribute__((visibility("default")))

static inline bool acquires(uint32_t order) {
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQ_REL
           || order == __ATOMIC_SEQ_CST;
}
static inline bool releases(uint32_t order) {
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/* ---- clocks ---- */

static void load_clock(struct dh_thread *self, struct dh_record *r, unsigned bytes,
                       uint32_t order) {
    if (!r->sync || self->ignoring_sync) return;
    struct dh_heads *heads = &r->sync->releases;
    for (uint32_t i = 0; i < heads->count; i++) {
        struct dh_snapshot *head = &heads->list[i];
        if ((head->bytes & bytes) == 0) continue;
        struct dh_view view = dh_thread_view(self);
        if (dh_epoch_before(head->at, &view)) continue; /* rt/clocks.h */
        if (acquires(order & DH_ORDER_MASK)) {
            dh_thread_learn(self, head);
        } else if (dh_vc_tick(self->fence_acquire, head->at.slot) < head->at.tick) {
            dh_vc_join(&self->fence_acquire, head->vc);
            dh_vc_note(&self->fence_acquire, head->at);
        }
    }
}

/* What a store or read-modify-write of this order publishes; false: nothing. */
static bool own_head(struct dh_thread *self, uint32_t order, struct dh_snapshot *head) {
    if (self->ignoring_sync) return false;
    if (releases(order & DH_ORDER_MASK)) {
        *head = dh_thread_publish(self);
        return true;
    }
    if (!self->fence_released) return false;
    *head = self->fence_release;
    dh_vc_ref(head->vc);
    return true;
}

/* A store ends all release sequences of its bytes but, in C, the running thread's own. */
static void start_over(struct dh_thread *self, struct dh_record *r, unsigned bytes,
                       uint32_t order) {
    if (!r->sync) return;
    uint32_t continuing = order & DH_ORDER_CXX20 ? DH_NO_THREAD : self->number;
    dh_heads_end(&r->sync->releases, bytes, continuing);
}

/* ---- the step around an operation ---- */

/* Sixteen bytes have a clock in each half: an operation on one of them alone is ordered, too. An
 * object of another size (rt/libatomic.c) is only ever used as a whole, and has its clock in the
 * first cell. */
enum { CLOCKS = 2 };

struct step {
    struct dh_judge judge;
    struct dh_thread *self;
    uintptr_t address;
    size_t size;
    struct dh_here here;
    struct dh_record *records[CLOCKS]; /* locked, in ascending order */
    uint8_t bytes[CLOCKS];             /* of each, that the operation is on */
    uint32_t clocks;                   /* 0: neither clocks nor accesses are kept now */
    bool quick;  /* the judge was not asked, and is not needed without a race */
    bool judged; /* false: the thread ignores its accesses, but not their order */
};

static uint32_t cells_of(uintptr_t address, size_t size) {
    return (uint32_t)((address + size - 1) / DH_CELL_BYTES - address / DH_CELL_BYTES + 1);
}

/* The bytes of its i-th cell that an access is on. */
static unsigned bytes_in(uintptr_t address, size_t size, uint32_t i) {
    uintptr_t cell = (address & ~(uintptr_t)(DH_CELL_BYTES - 1)) + i * DH_CELL_BYTES,
              end = address + size;
    unsigned mask = DH_WORD_BYTES_MASK;
    if (cell < address) mask = mask << (address - cell) & DH_WORD_BYTES_MASK;
    if (end < cell + DH_CELL_BYTES) mask &= DH_WORD_BYTES_MASK >> (cell + DH_CELL_BYTES - end);
    return mask;
}

#define INLINED static inline __attribute__((always_inline))

/* Most operations: within one cell, which is a record already. No epoch id is needed for those. It is
 * inlined into all operations, which know their size. */
INLINED bool quick_begin(struct step *s) {
    struct dh_thread *self = __dh_tls.self;
    if (dh_alone_now || !self || self->ignoring != 0 || dh_recording || self->pending != 0)
        return false;
    if (s->size > DH_CELL_BYTES || s->address % s->size != 0) return false;
    dh_critical_enter();
    dh_cell *at = dh_shadow(s->address), cell = __atomic_load_n(at, __ATOMIC_ACQUIRE);
    struct dh_record *r = dh_cell_is_record(cell) ? dh_record_lock_found(at, cell) : 0;
    if (!r) {
        dh_critical_leave();
        return false;
    }
    if (self->released) dh_thread_tick(self);
    if (DH_UNLIKELY(r->last != 0)) dh_last_spill(r);
    s->self = self;
    s->records[0] = r;
    s->bytes[0] = (uint8_t)(((1u << s->size) - 1) << s->address % DH_CELL_BYTES);
    s->clocks = 1;
    return true;
}

DH_COLD static void quick_race(struct step *s, enum dh_kind kind, uint32_t flags,
                               struct dh_verdict const *v) {
    struct dh_judge *j = &s->judge;
    dh_judge_inside(j, s->self, kind, flags, s->address, s->size, s->here);
    dh_judge_note(j, s->address & ~(uintptr_t)(DH_CELL_BYTES - 1), v);
    dh_judge_end(j);
}

INLINED void quick_end(struct step *s, enum dh_kind kind) {
    struct dh_thread *self = s->self;
    struct dh_view view = dh_thread_view(self);
    struct dh_access access = {
        .epoch = dh_thread_epoch(self), .mask = s->bytes[0], .kind = (uint8_t)kind};
    struct dh_verdict v;
    uint32_t flags = DH_ACCESS_ATOMIC | (kind == DH_ATOMIC_WRITE ? DH_ACCESS_WRITE : 0);
    dh_record_step(s->records[0], access, &view, &v);
    dh_record_unlock(s->records[0]);
    DH_COUNT(self, record_steps);
    if (DH_UNLIKELY(v.racy != 0)) {
        quick_race(s, kind, flags, &v);
        return;
    }
    if (v.changed) dh_history_add(self, s->address, (uint32_t)s->size, flags, s->here);
    dh_critical_leave();
}

static __attribute__((noinline)) void long_begin(struct step *s) {
    if (!dh_alone_now) dh_footprint_commit(dh_self());
    uint32_t cells = cells_of(s->address, s->size);
    /* The kind is settled when the operation is done: a failed exchange only reads. */
    s->judged = dh_judge_begin(&s->judge, DH_ATOMIC_READ, 0, s->address, s->size, s->here);
    if (!s->judged) {
        if (dh_alone_now || s->size == 0 || !dh_has_shadow(s->address, s->size)) return;
        if (dh_self()->life == DH_FINISHED) return;
        dh_own_settle(s->address, s->size);
        dh_critical_enter();
    }
    s->self = dh_self();
    s->clocks = cells <= CLOCKS ? cells : 1;
    for (uint32_t i = 0; i < s->clocks; i++) {
        s->records[i] = dh_record_lock(s->address + i * DH_CELL_BYTES);
        s->bytes[i] = (uint8_t)bytes_in(s->address, s->size, i);
    }
}

INLINED void step_begin(struct step *s, void const volatile *p, size_t size, struct dh_here here) {
    s->address = (uintptr_t)p;
    s->size = size;
    s->here = here;
    s->clocks = 0;
    s->quick = quick_begin(s);
    if (DH_UNLIKELY(!s->quick)) long_begin(s);
}

/* Puts the access on record in all its cells. The verdicts wait until no lock is held: reporting
 * them takes long, and runs the program's own hook. */
static void record_access(struct step *s, uint32_t cells, struct dh_verdict *verdicts) {
    struct dh_judge *j = &s->judge;
    for (uint32_t i = 0; i < cells; i++) {
        j->access.mask = (uint8_t)bytes_in(j->address, j->size, i);
        struct dh_record *r =
            i < s->clocks ? s->records[i] : dh_record_lock(j->address + i * DH_CELL_BYTES);
        dh_record_step(r, j->access, &j->view, &verdicts[i]);
        if (i >= s->clocks) dh_record_unlock(r);
    }
    j->self->stats[DH_STAT_record_steps] += cells;
}

static void step_unlock(struct step *s) {
    for (uint32_t i = 0; i < s->clocks; i++)
        dh_record_unlock(s->records[i]);
}

static __attribute__((noinline)) void long_end(struct step *s, enum dh_op op, enum dh_kind kind,
                                               uint32_t order) {
    struct dh_judge *j = &s->judge;
    if (s->clocks == 0) return;
    if (DH_UNLIKELY(dh_recording))
        dh_tape_atomic(s->self, op, s->address, s->size, order, s->here.pc);
    if (!s->judged) {
        step_unlock(s);
        dh_critical_leave();
        return;
    }
    /* What the operation acquired is ordered before it; it is part of the epoch that it releases.
     */
    j->view = dh_thread_view(j->self);
    j->access.kind = (uint8_t)kind;
    j->flags = DH_ACCESS_ATOMIC | (kind == DH_ATOMIC_WRITE ? DH_ACCESS_WRITE : 0);
    struct dh_verdict few[CLOCKS], *verdicts = few;
    uint32_t cells = cells_of(j->address, j->size);
    if (cells > CLOCKS) verdicts = dh_alloc(cells * sizeof *verdicts);
    record_access(s, cells, verdicts);
    step_unlock(s);
    for (uint32_t i = 0; i < cells; i++)
        dh_judge_note(j, (j->address & ~(uintptr_t)(DH_CELL_BYTES - 1)) + i * DH_CELL_BYTES,
                      &verdicts[i]);
    if (verdicts != few) dh_free(verdicts, cells * sizeof *verdicts);
    dh_judge_end(j);
}

/* `op` is what the operation turned out to be, an event of trace/event.h. */
INLINED void step_end(struct step *s, enum dh_op op, uint32_t order) {
    enum dh_kind kind = op == DH_OP_STORE || op == DH_OP_RMW ? DH_ATOMIC_WRITE : DH_ATOMIC_READ;
    if (DH_LIKELY(s->quick))
        quick_end(s, kind);
    else
        long_end(s, op, kind, order);
}

/* What each operation does to the clocks, inside its step. */

static void step_loads(struct step *s, uint32_t order) {
    for (uint32_t i = 0; i < s->clocks; i++)
        load_clock(s->self, s->records[i], s->bytes[i], order);
}

static void step_publishes(struct step *s, uint32_t order) {
    struct dh_snapshot head;
    if (s->clocks == 0 || !own_head(s->self, order, &head)) return;
    for (uint32_t i = 0; i < s->clocks; i++) { /* the last one has our own reference */
        if (i + 1 < s->clocks) dh_vc_ref(head.vc);
        head.bytes = s->bytes[i];
        dh_heads_add(&dh_record_sync(s->records[i])->releases, head);
    }
}

static void step_stores(struct step *s, uint32_t order) {
    for (uint32_t i = 0; i < s->clocks; i++)
        start_over(s->self, s->records[i], s->bytes[i], order);
    step_publishes(s, order);
}

static void step_modifies(struct step *s, uint32_t order) {
    step_loads(s, order);
    step_publishes(s, order);
}

/* ---- operations ---- */

static float float_of(uint32_t bits) { return __builtin_bit_cast(float, bits); }
static double double_of(uint64_t bits) { return __builtin_bit_cast(double, bits); }

/* A number wins over none. */
#define MINMAX(op, a, b) ((b) != (b) || ((op) == DH_RMW_FMAX ? (a) > (b) : (a) < (b)) ? (a) : (b))

static uint32_t float_rmw(uint32_t op, uint32_t old, uint32_t operand) {
    float a = float_of(old), b = float_of(operand);
    float new = op == DH_RMW_FADD ? a + b : op == DH_RMW_FSUB ? a - b : MINMAX(op, a, b);
    return __builtin_bit_cast(uint32_t, new);
}
static uint64_t double_rmw(uint32_t op, uint64_t old, uint64_t operand) {
    double a = double_of(old), b = double_of(operand);
    double new = op == DH_RMW_FADD ? a + b : op == DH_RMW_FSUB ? a - b : MINMAX(op, a, b);
    return __builtin_bit_cast(uint64_t, new);
}

#define DEFINE_APPLY(bits, T, S)                                                          \
    static T apply##bits(uint32_t op, T old, T operand) {                                 \
        switch (op) {                                                                     \
        case DH_RMW_XCHG: return operand;                                                 \
        case DH_RMW_ADD: return (T)(old + operand);                                       \
        case DH_RMW_SUB: return (T)(old - operand);                                       \
        case DH_RMW_AND: return old & operand;                                            \
        case DH_RMW_NAND: return (T) ~(old & operand);                                    \
        case DH_RMW_OR: return old | operand;                                             \
        case DH_RMW_XOR: return old ^ operand;                                            \
        case DH_RMW_MAX: return (S)old > (S)operand ? old : operand;                      \
        case DH_RMW_MIN: return (S)old < (S)operand ? old : operand;                      \
        case DH_RMW_UMAX: return old > operand ? old : operand;                           \
        case DH_RMW_UMIN: return old < operand ? old : operand;                           \
        case DH_RMW_UINC_WRAP: return old >= operand ? 0 : (T)(old + 1);                  \
        case DH_RMW_UDEC_WRAP: return old == 0 || old > operand ? operand : (T)(old - 1); \
        default:                                                                          \
            if (bits == 32) return (T)float_rmw(op, (uint32_t)old, (uint32_t)operand);    \
            return (T)double_rmw(op, (uint64_t)old, (uint64_t)operand);                   \
        }                                                                                 \
    }
DEFINE_APPLY(8, uint8_t, int8_t)
DEFINE_APPLY(16, uint16_t, int16_t)
DEFINE_APPLY(32, uint32_t, int32_t)
DEFINE_APPLY(64, uint64_t, int64_t)
DEFINE_APPLY(128, unsigned __int128, __int128)

/* The hardware operations, sequentially consistent, for the program may rely on less, never on more; but
 * a store that need not be is a plain instruction, and so is never weaker than a release. */
#define DEFINE_RAW(bits, T)                                                                       \
    static T raw_load##bits(T const volatile *p) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); } \
    static void raw_store##bits(T volatile *p, T value, uint32_t order) {                         \
        if ((order & DH_ORDER_MASK) == __ATOMIC_SEQ_CST)                                          \
            __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                         \
        else                                                                                      \
            __atomic_store_n(p, value, __ATOMIC_RELEASE);                                         \
    }                                                                                             \
    static bool raw_cas##bits(T volatile *p, T *expected, T desired) {                            \
        return __atomic_compare_exchange_n(p, expected, desired, false, __ATOMIC_SEQ_CST,         \
                                           __ATOMIC_SEQ_CST);                                     \
    }
DEFINE_RAW(8, uint8_t)
DEFINE_RAW(16, uint16_t)
DEFINE_RAW(32, uint32_t)
DEFINE_RAW(64, uint64_t)

static bool raw_cas128(unsigned __int128 volatile *p, unsigned __int128 *expected,
                       unsigned __int128 desired) {
    unsigned __int128 old = __sync_val_compare_and_swap(p, *expected, desired);
    bool done = old == *expected;
    *expected = old;
    return done;
}

/* All makers promise that on a processor with AVX an aligned vector is loaded in one piece.
 * Elsewhere the bytes are exchanged with themselves, which needs memory that can be written. */
static bool vectors_load_whole(void) {
    static int8_t known; /* 0: not asked yet */
    if (DH_UNLIKELY(known == 0)) {
        unsigned a, b, c = 0, d;
        known = __get_cpuid(1, &a, &b, &c, &d) && c & bit_AVX ? 1 : -1;
    }
    return known > 0;
}

static unsigned __int128 raw_load128(unsigned __int128 const volatile *p) {
    unsigned __int128 value = 0;
    if (DH_UNLIKELY(!vectors_load_whole())) {
        raw_cas128((unsigned __int128 volatile *)p, &value, 0);
        return value;
    }
    uint64_t __attribute__((vector_size(16))) halves;
    __asm__ volatile("movdqa %1, %0" : "=x"(halves) : "m"(*p) : "memory");
    return __builtin_bit_cast(unsigned __int128, halves);
}

static void raw_store128(unsigned __int128 volatile *p, unsigned __int128 value, uint32_t order) {
    unsigned __int128 old = raw_load128(p);
    (void)order;
    while (!raw_cas128(p, &old, value)) {}
}

#define DEFINE_ATOMICS(bits, T)                                                                  \
    T dh_atomic##bits##_load(T const volatile *p, uint32_t order, struct dh_here here) {         \
        struct step s;                                                                           \
        step_begin(&s, p, sizeof(T), here);                                                      \
        T value = raw_load##bits(p);                                                             \
        step_loads(&s, order);                                                                   \
        step_end(&s, DH_OP_LOAD, order);                                                         \
        return value;                                                                            \
    }                                                                                            \
    void dh_atomic##bits##_store(T volatile *p, T value, uint32_t order, struct dh_here here) {  \
        struct step s;                                                                           \
        step_begin(&s, p, sizeof(T), here);                                                      \
        raw_store##bits(p, value, order);                                                        \
        step_stores(&s, order);                                                                  \
        step_end(&s, DH_OP_STORE, order);                                                        \
    }                                                                                            \
    T dh_atomic##bits##_rmw(T volatile *p, T operand, uint32_t op, uint32_t order,               \
                            struct dh_here here) {                                               \
        struct step s;                                                                           \
        step_begin(&s, p, sizeof(T), here);                                                      \
        T old = raw_load##bits(p);                                                               \
        while (!raw_cas##bits(p, &old, apply##bits(op, old, operand))) {}                        \
        step_modifies(&s, order);                                                                \
        step_end(&s, DH_OP_RMW, order);                                                          \
        return old;                                                                              \
    }                                                                                            \
    T dh_atomic##bits##_compare_exchange(T volatile *p, T expected, T desired, uint32_t success, \
                                         uint32_t failure, struct dh_here here) {                \
        struct step s;                                                                           \
        step_begin(&s, p, sizeof(T), here);                                                      \
        bool done = raw_cas##bits(p, &expected, desired);                                        \
        if (done)                                                                                \
            step_modifies(&s, success);                                                          \
        else                                                                                     \
            step_loads(&s, failure);                                                             \
        step_end(&s, done ? DH_OP_RMW : DH_OP_COMPARE, done ? success : failure);                \
        return expected;                                                                         \
    }                                                                                            \
    EXPORT T __dh_atomic##bits##_load(T const volatile *p, uint32_t order) {                     \
        return dh_atomic##bits##_load(p, order, DH_HERE);                                        \
    }                                                                                            \
    EXPORT void __dh_atomic##bits##_store(T volatile *p, T value, uint32_t order) {              \
        dh_atomic##bits##_store(p, value, order, DH_HERE);                                       \
    }                                                                                            \
    EXPORT T __dh_atomic##bits##_rmw(T volatile *p, T operand, uint32_t op, uint32_t order) {    \
        return dh_atomic##bits##_rmw(p, operand, op, order, DH_HERE);                            \
    }                                                                                            \
    EXPORT T __dh_atomic##bits##_compare_exchange(T volatile *p, T expected, T desired,          \
                                                  uint32_t success, uint32_t failure) {          \
        return dh_atomic##bits##_compare_exchange(p, expected, desired, success, failure,        \
                                                  DH_HERE);                                      \
    }
DH_ATOMICS(DEFINE_ATOMICS)

/* Objects that no instruction can handle are copied under a lock. It is not the record's, because
 * there is not always a record. */
static struct dh_mutex *lock_of(void const volatile *p) {
    enum { LOCKS = 64, LINE = 64 };
    static struct { _Alignas(LINE) struct dh_mutex mutex; } locks[LOCKS];
    return &locks[(uintptr_t)p / LINE % LOCKS].mutex;
}

/* True: the object was written. */
static bool exchange_bytes(uint8_t volatile *p, size_t size, struct dh_bytes const *b) {
    uint8_t const *expected = b->expected, *new = b->new;
    uint8_t *old = b->old;
    bool writes = new != 0;
    dh_critical_enter();
    dh_mutex_lock(lock_of(p));
    for (size_t i = 0; expected && i < size; i++)
        writes &= p[i] == expected[i];
    for (size_t i = 0; i < size; i++) {
        uint8_t byte = p[i];
        if (writes) p[i] = new[i];
        if (old) old[i] = byte;
    }
    dh_mutex_unlock(lock_of(p));
    dh_critical_leave();
    return writes;
}

bool dh_atomic_bytes(void volatile *p, size_t size, struct dh_bytes const *b, struct dh_here here) {
    struct step s;
    step_begin(&s, p, size, here);
    bool writes = exchange_bytes(p, size, b);
    uint32_t order = !writes && b->expected ? b->failure : b->order;
    enum dh_op op = writes        ? b->old ? DH_OP_RMW : DH_OP_STORE
                    : b->expected ? DH_OP_COMPARE
                                  : DH_OP_LOAD;
    if (!writes)
        step_loads(&s, order);
    else if (b->old)
        step_modifies(&s, order);
    else
        step_stores(&s, order);
    step_end(&s, op, order);
    return writes;
}

EXPORT void __dh_atomic_thread_fence(uint32_t order) {
    order &= DH_ORDER_MASK;
    if (dh_alone_now) return;
    struct dh_thread *self = dh_self();
    if (self->life == DH_FINISHED) return;
    dh_footprint_commit(self);
    dh_critical_enter();
    if (acquires(order)) {
        dh_thread_learn_vc(self, self->fence_acquire);
        dh_vc_unref(self->fence_acquire);
        self->fence_acquire = 0;
    }
    if (releases(order)) {
        dh_vc_unref(self->fence_release.vc);
        self->fence_release = dh_thread_publish(self);
        self->fence_released = true;
    }
    if (DH_UNLIKELY(dh_recording)) dh_tape_fence(self, order);
    dh_critical_leave();
}
