/* Atomic operations and fences. The operation itself and the change of its clock happen under the lock of
 * the location's record, so that a load that saw a value also sees the clock that came with it.
 *
 * The clock of a location is its release sequences (C11 5.1.2.4): one head for each release operation that
 * a load reading the present value synchronises with.
 *   a store          starts over: with its own clock if it releases, with that of an earlier release fence
 *                    if there was one. In C a later store by the same thread continues its sequences; in
 *                    C++20 it does not.
 *   read-modify-write  continues all sequences, and adds its own head if it releases.
 * A relaxed load puts the clock aside for a later acquire fence.
 */
#include "rt/judge.h"
#include "rt/shadow.h"

#define EXPORT __attribute__((visibility("default")))

static bool acquires(uint32_t order) {
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQ_REL
           || order == __ATOMIC_SEQ_CST;
}
static bool releases(uint32_t order) {
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/* ---- clocks ---- */

static void load_clock(struct dh_thread *self, struct dh_record *r, uint32_t order) {
    if (!r->sync) return;
    struct dh_heads *heads = &r->sync->releases;
    for (uint32_t i = 0; i < heads->count; i++) {
        struct dh_snapshot *head = &heads->list[i];
        struct dh_view view = dh_thread_view(self);
        if (acquires(order & DH_ORDER_MASK)) {
            dh_thread_learn(self, head);
        } else if (!dh_epoch_before(head->at, &view)
                   && dh_vc_tick(self->fence_acquire, head->at.slot) < head->at.tick) {
            dh_vc_join(&self->fence_acquire, head->vc);
            dh_vc_note(&self->fence_acquire, head->at);
        }
    }
}

/* What a store or read-modify-write of this order publishes; false: nothing. */
static bool own_head(struct dh_thread *self, uint32_t order, struct dh_snapshot *head) {
    if (releases(order & DH_ORDER_MASK)) {
        *head = dh_thread_publish(self);
        return true;
    }
    if (!self->fence_released) return false;
    *head = self->fence_release;
    dh_vc_ref(head->vc);
    return true;
}

/* A thread's later release says all that its earlier one did. */
static void add_head(struct dh_record *r, struct dh_snapshot head) {
    struct dh_heads *heads = &dh_record_sync(r)->releases;
    for (uint32_t i = 0; i < heads->count; i++)
        if (heads->list[i].at.slot == head.at.slot && heads->list[i].at.tick >= head.at.tick) {
            dh_vc_unref(head.vc);
            return;
        }
    dh_heads_add(heads, head);
}

static void keep_own_heads(struct dh_thread *self, struct dh_heads *heads) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < heads->count; i++) {
        if (dh_thread_at(heads->list[i].at) == self)
            heads->list[kept++] = heads->list[i];
        else
            dh_vc_unref(heads->list[i].vc);
    }
    heads->count = kept;
}

static void store_clock(struct dh_thread *self, struct dh_record *r, uint32_t order) {
    struct dh_snapshot head;
    if (r->sync) {
        if (order & DH_ORDER_CXX20)
            dh_heads_clear(&r->sync->releases);
        else
            keep_own_heads(self, &r->sync->releases);
    }
    if (own_head(self, order, &head)) add_head(r, head);
}

static void rmw_clock(struct dh_thread *self, struct dh_record *r, uint32_t order) {
    struct dh_snapshot head;
    if (own_head(self, order, &head)) add_head(r, head);
}

/* ---- the step around an operation ---- */

struct step {
    struct dh_judge judge;
    struct dh_record *record; /* of the first cell, locked; null: nothing is recorded */
};

static void step_begin(struct step *s, void const volatile *p, uint32_t size, struct dh_here here) {
    s->record = 0;
    /* The kind is settled when the operation is done: a failed exchange only reads. */
    if (!dh_judge_begin(&s->judge, DH_ATOMIC_READ, 0, (uintptr_t)p, size, here)) return;
    s->record = dh_record_lock((uintptr_t)p);
}

static void step_end(struct step *s, enum dh_kind kind) {
    struct dh_judge *j = &s->judge;
    if (!s->record) return;
    dh_record_unlock(s->record);
    /* What the operation acquired is ordered before it; it is part of the epoch that it releases. */
    j->view = dh_thread_view(j->self);
    j->access.kind = (uint8_t)kind;
    j->flags = DH_ACCESS_ATOMIC | (kind == DH_ATOMIC_WRITE ? DH_ACCESS_WRITE : 0);
    dh_judge_range(j);
    dh_judge_end(j);
}

/* ---- operations ---- */

static float float_of(uint32_t bits) { return __builtin_bit_cast(float, bits); }
static double double_of(uint64_t bits) { return __builtin_bit_cast(double, bits); }

#define MINMAX(op, a, b) ((op) == DH_RMW_FMAX ? ((a) > (b) || (b) != (b) ? (a) : (b)) : ((a) < (b) || (b) != (b) ? (a) : (b)))

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

#define DEFINE_APPLY(bits, T, S)                                                                        \
    static T apply##bits(uint32_t op, T old, T operand) {                                               \
        switch (op) {                                                                                   \
        case DH_RMW_XCHG: return operand;                                                               \
        case DH_RMW_ADD: return (T)(old + operand);                                                     \
        case DH_RMW_SUB: return (T)(old - operand);                                                     \
        case DH_RMW_AND: return old & operand;                                                          \
        case DH_RMW_NAND: return (T) ~(old & operand);                                                  \
        case DH_RMW_OR: return old | operand;                                                           \
        case DH_RMW_XOR: return old ^ operand;                                                          \
        case DH_RMW_MAX: return (S)old > (S)operand ? old : operand;                                    \
        case DH_RMW_MIN: return (S)old < (S)operand ? old : operand;                                    \
        case DH_RMW_UMAX: return old > operand ? old : operand;                                         \
        case DH_RMW_UMIN: return old < operand ? old : operand;                                         \
        case DH_RMW_UINC_WRAP: return old >= operand ? 0 : (T)(old + 1);                                \
        case DH_RMW_UDEC_WRAP: return old == 0 || old > operand ? operand : (T)(old - 1);               \
        default:                                                                                        \
            if (bits == 32) return (T)float_rmw(op, (uint32_t)old, (uint32_t)operand);                  \
            return (T)double_rmw(op, (uint64_t)old, (uint64_t)operand);                                 \
        }                                                                                               \
    }
DEFINE_APPLY(8, uint8_t, int8_t)
DEFINE_APPLY(16, uint16_t, int16_t)
DEFINE_APPLY(32, uint32_t, int32_t)
DEFINE_APPLY(64, uint64_t, int64_t)
DEFINE_APPLY(128, unsigned __int128, __int128)

/* The hardware operations, always sequentially consistent: the program may rely on less, never on more.
 * Sixteen bytes are read by exchanging them with themselves, except where that could fault: a page that is
 * only readable holds constants. */
#define DEFINE_RAW(bits, T)                                                                             \
    static T raw_load##bits(T const volatile *p) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }       \
    static bool raw_cas##bits(T volatile *p, T *expected, T desired) {                                  \
        return __atomic_compare_exchange_n(p, expected, desired, false, __ATOMIC_SEQ_CST,               \
                                           __ATOMIC_SEQ_CST);                                           \
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
static unsigned __int128 raw_load128(unsigned __int128 const volatile *p) {
    unsigned __int128 value = 0;
    raw_cas128((unsigned __int128 volatile *)p, &value, 0);
    return value;
}

#define DEFINE_ATOMICS(bits, T)                                                                         \
    EXPORT T __dh_atomic##bits##_load(T const volatile *p, uint32_t order) {                            \
        struct step s;                                                                                  \
        step_begin(&s, p, sizeof(T), DH_HERE);                                                          \
        T value = raw_load##bits(p);                                                                    \
        if (s.record) load_clock(s.judge.self, s.record, order);                                        \
        step_end(&s, DH_ATOMIC_READ);                                                                   \
        return value;                                                                                   \
    }                                                                                                   \
    EXPORT void __dh_atomic##bits##_store(T volatile *p, T value, uint32_t order) {                     \
        struct step s;                                                                                  \
        step_begin(&s, p, sizeof(T), DH_HERE);                                                          \
        T old = raw_load##bits(p);                                                                      \
        while (!raw_cas##bits(p, &old, value)) {}                                                       \
        if (s.record) store_clock(s.judge.self, s.record, order);                                       \
        step_end(&s, DH_ATOMIC_WRITE);                                                                  \
    }                                                                                                   \
    EXPORT T __dh_atomic##bits##_rmw(T volatile *p, T operand, uint32_t op, uint32_t order) {           \
        struct step s;                                                                                  \
        step_begin(&s, p, sizeof(T), DH_HERE);                                                          \
        T old = raw_load##bits(p);                                                                      \
        while (!raw_cas##bits(p, &old, apply##bits(op, old, operand))) {}                               \
        if (s.record) {                                                                                 \
            load_clock(s.judge.self, s.record, order);                                                  \
            rmw_clock(s.judge.self, s.record, order);                                                   \
        }                                                                                               \
        step_end(&s, DH_ATOMIC_WRITE);                                                                  \
        return old;                                                                                     \
    }                                                                                                   \
    EXPORT T __dh_atomic##bits##_compare_exchange(T volatile *p, T expected, T desired,                 \
                                                  uint32_t success, uint32_t failure) {                 \
        struct step s;                                                                                  \
        step_begin(&s, p, sizeof(T), DH_HERE);                                                          \
        bool done = raw_cas##bits(p, &expected, desired);                                               \
        if (s.record) {                                                                                 \
            load_clock(s.judge.self, s.record, done ? success : failure);                               \
            if (done) rmw_clock(s.judge.self, s.record, success);                                       \
        }                                                                                               \
        step_end(&s, done ? DH_ATOMIC_WRITE : DH_ATOMIC_READ);                                          \
        return expected;                                                                                \
    }
DH_ATOMICS(DEFINE_ATOMICS)

EXPORT void __dh_atomic_thread_fence(uint32_t order) {
    order &= DH_ORDER_MASK;
    if (dh_alone_now) return;
    struct dh_thread *self = dh_self();
    if (self->life == DH_FINISHED) return;
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
    dh_critical_leave();
}
