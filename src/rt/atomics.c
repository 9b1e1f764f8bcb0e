/* Atomic operations and fences. The operation itself, the change of its clock and the record of the
 * access are one step under the lock of the location's record. So a load that saw a value also sees
 * the clock that came with it; and whoever is ordered after an operation by its value, and then
 * frees the memory, say, finds it on record, and is not taken for somebody who came before.
 *
 * The steps are in rt/atomic_steps.h, and the short way of most operations in rt/atomic_short.h.
 * What becomes of the clocks is in rt/sequences.h.
 */
#include "rt/atomics.h"
#include "rt/atomic_short.h"
#include "rt/operations.h"

#define EXPORT __attribute__((visibility("default")))

/* The commonest have an instruction that does them. */
#define DEFINE_MODIFY(bits, T)                                            \
    static T modify##bits(T volatile *p, T operand, uint32_t op) {        \
        if (op == DH_RMW_ADD) return raw_add##bits(p, operand);           \
        if (op == DH_RMW_SUB) return raw_add##bits(p, (T)(0 - operand));  \
        T old = raw_load##bits(p);                                        \
        while (!raw_cas##bits(p, &old, apply##bits(op, old, operand))) {} \
        return old;                                                       \
    }
DH_ATOMICS(DEFINE_MODIFY)

/* The functions that the program calls have the short way, and the others the long one. */
#define DEFINE_ATOMICS(bits, T)                                                                    \
    static __attribute__((noinline))                                                               \
    T load_long##bits(T const volatile *p, uint32_t order, struct dh_here here) {                  \
        struct step s;                                                                             \
        step_begin(&s, p, sizeof(T), order, false, here);                                          \
        T value = raw_load##bits(p);                                                               \
        step_loads(&s, order);                                                                     \
        step_end(&s, DH_OP_LOAD, order);                                                           \
        return value;                                                                              \
    }                                                                                              \
    void dh_atomic##bits##_store(T volatile *p, T value, uint32_t order, struct dh_here here) {    \
        struct step s;                                                                             \
        step_begin(&s, p, sizeof(T), order, true, here);                                           \
        raw_store##bits(p, value, order);                                                          \
        step_stores(&s, order);                                                                    \
        step_end(&s, DH_OP_STORE, order);                                                          \
    }                                                                                              \
    T dh_atomic##bits##_rmw(T volatile *p, T operand, uint32_t op, uint32_t order,                 \
                            struct dh_here here) {                                                 \
        struct step s;                                                                             \
        step_begin(&s, p, sizeof(T), order, true, here);                                           \
        T old = modify##bits(p, operand, op);                                                      \
        step_modifies(&s, order);                                                                  \
        step_end(&s, DH_OP_RMW, order);                                                            \
        return old;                                                                                \
    }                                                                                              \
    T dh_atomic##bits##_compare_exchange(T volatile *p, T expected, T desired, uint32_t success,   \
                                         uint32_t failure, struct dh_here here) {                  \
        struct step s;                                                                             \
        step_begin(&s, p, sizeof(T), success, true, here);                                         \
        bool done = raw_cas##bits(p, &expected, desired);                                          \
        if (done)                                                                                  \
            step_modifies(&s, success);                                                            \
        else                                                                                       \
            step_loads(&s, failure);                                                               \
        step_end(&s, done ? DH_OP_RMW : DH_OP_COMPARE, done ? success : failure);                  \
        return expected;                                                                           \
    }                                                                                              \
    /* In a critical section, which it ends. */                                                    \
    static __attribute__((noinline))                                                               \
    T load_turn##bits(T const volatile *p, dh_cell cell, uint32_t order, struct dh_here here) {    \
        uintptr_t a = (uintptr_t)p;                                                                \
        dh_cell next = short_turn(a, sizeof(T), cell);                                             \
        if (DH_LIKELY(next != 0)) {                                                                \
            T value = raw_load##bits(p);                                                           \
            if (DH_LIKELY(short_turns(a, cell, next))) {                                           \
                if (next == cell) return (T)short_nothing_new(__dh_tls.self, (uint64_t)value);     \
                return (T)short_noted(a, sizeof(T), DH_ATOMIC_READ, here, (uint64_t)value);        \
            }                                                                                      \
        }                                                                                          \
        dh_critical_leave();                                                                       \
        return load_long##bits(p, order, here);                                                    \
    }                                                                                              \
    T dh_atomic##bits##_load(T const volatile *p, uint32_t order, struct dh_here here) {           \
        prepare(p, sizeof(T));                                                                     \
        struct dh_thread *self = short_self((uintptr_t)p, sizeof(T));                              \
        if (self) {                                                                                \
            dh_cell cell = short_enter(self, (uintptr_t)p);                                        \
            if (!dh_cell_has_record(cell)) return load_turn##bits(p, cell, order, here);           \
            dh_critical_leave();                                                                   \
        }                                                                                          \
        return load_long##bits(p, order, here);                                                    \
    }                                                                                              \
    EXPORT T __dh_atomic##bits##_load(T const volatile *p, uint32_t order) {                       \
        uintptr_t a = (uintptr_t)p;                                                                \
        __builtin_prefetch((void const *)p); /* the cell is waited for first */                    \
        struct dh_thread *self = short_self(a, sizeof(T));                                         \
        if (DH_UNLIKELY(!self)) return dh_atomic##bits##_load(p, order, DH_HERE);                  \
        dh_cell cell = short_enter(self, a);                                                       \
        if (!dh_cell_has_record(cell)) return load_turn##bits(p, cell, order, DH_HERE);            \
        uint64_t stamp = short_seen(self, a, sizeof(T), cell, order);                              \
        if (stamp != 0) {                                                                          \
            T value = raw_load##bits(p);                                                           \
            if (DH_LIKELY(short_still(cell, stamp)))                                               \
                return (T)short_nothing_new(self, (uint64_t)value);                                \
        }                                                                                          \
        struct dh_record *r = short_lock(a, cell);                                                 \
        if (DH_UNLIKELY(!r)) return dh_atomic##bits##_load(p, order, DH_HERE);                     \
        T value = raw_load##bits(p);                                                               \
        return (T)short_rest(self, r, a, sizeof(T), SHORT_LOAD, order, (uint64_t)value);           \
    }                                                                                              \
    EXPORT void __dh_atomic##bits##_store(T volatile *p, T value, uint32_t order) {                \
        uintptr_t a = (uintptr_t)p;                                                                \
        dh_prefetch_write((void const *)p);                                                        \
        struct dh_thread *self = short_self(a, sizeof(T));                                         \
        struct dh_record *r = short_begin(self, a);                                                \
        if (DH_UNLIKELY(!r)) {                                                                     \
            dh_atomic##bits##_store(p, value, order, DH_HERE);                                     \
            return;                                                                                \
        }                                                                                          \
        raw_store##bits(p, value, order);                                                          \
        short_rest(self, r, a, sizeof(T), SHORT_STORE, order, 0);                                  \
    }                                                                                              \
    EXPORT T __dh_atomic##bits##_rmw(T volatile *p, T operand, uint32_t op, uint32_t order) {      \
        uintptr_t a = (uintptr_t)p;                                                                \
        dh_prefetch_write((void const *)p);                                                        \
        struct dh_thread *self = short_self(a, sizeof(T));                                         \
        struct dh_record *r = short_begin(self, a);                                                \
        if (DH_UNLIKELY(!r)) return dh_atomic##bits##_rmw(p, operand, op, order, DH_HERE);         \
        T old = modify##bits(p, operand, op);                                                      \
        return (T)short_rest(self, r, a, sizeof(T), SHORT_MODIFY, order, (uint64_t)old);           \
    }                                                                                              \
    EXPORT T __dh_atomic##bits##_compare_exchange(T volatile *p, T expected, T desired,            \
                                                  uint32_t success, uint32_t failure) {            \
        uintptr_t a = (uintptr_t)p;                                                                \
        dh_prefetch_write((void const *)p);                                                        \
        struct dh_thread *self = short_self(a, sizeof(T));                                         \
        struct dh_record *r = short_begin(self, a);                                                \
        if (DH_UNLIKELY(!r))                                                                       \
            return dh_atomic##bits##_compare_exchange(p, expected, desired, success, failure,      \
                                                      DH_HERE);                                    \
        bool done = raw_cas##bits(p, &expected, desired);                                          \
        uint64_t value = (uint64_t)expected;                                                       \
        if (DH_LIKELY(done))                                                                       \
            return (T)short_rest(self, r, a, sizeof(T), SHORT_MODIFY, success, value);             \
        return (T)short_rest(self, r, a, sizeof(T), SHORT_LOAD, failure, value);                   \
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
    step_begin(&s, p, size, b->order, b->new != 0, here);
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
