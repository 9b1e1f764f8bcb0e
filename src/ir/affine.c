#include "ir/affine.h"

#include <string.h>

static bool is_before(struct ir_term const *t, ir_value value, enum ir_sign sign) {
    if (t->value != value) return (uintptr_t)t->value < (uintptr_t)value;
    return t->sign < sign;
}

void dh_affine_add(struct ir_affine *f, ir_value value, enum ir_sign sign, uint64_t factor) {
    uint32_t at = 0;
    if (factor == 0) return;
    while (at < f->count && is_before(&f->terms[at], value, sign))
        at++;
    struct ir_term *t = &f->terms[at];
    if (at < f->count && t->value == value && t->sign == sign) {
        t->factor += factor;
        if (t->factor == 0) memmove(t, t + 1, (--f->count - at) * sizeof *t);
        return;
    }
    if (f->count == IR_TERMS_MAX) {
        f->overfull = true;
        return;
    }
    memmove(t + 1, t, (f->count++ - at) * sizeof *t);
    *t = (struct ir_term){value, sign, factor};
}

void dh_affine_add_form(struct ir_affine *f, struct ir_affine const *other, uint64_t factor) {
    f->constant += factor * other->constant;
    f->overfull |= other->overfull;
    for (uint32_t i = 0; i < other->count; i++)
        dh_affine_add(f, other->terms[i].value, other->terms[i].sign,
                      factor * other->terms[i].factor);
}

static bool is_moderate(int64_t factor) {
    return factor >= -IR_FACTOR_MAX && factor <= IR_FACTOR_MAX;
}

bool dh_affine_add_exact(struct ir_affine *f, struct ir_affine const *other, int64_t factor) {
    int64_t constant, sum;
    bool room = !__builtin_mul_overflow(factor, (int64_t)other->constant, &constant)
                && !__builtin_add_overflow((int64_t)f->constant, constant, &sum) && !other->overfull
                && is_moderate(factor);
    for (uint32_t i = 0; room && i < other->count; i++) {
        struct ir_term const *t = &other->terms[i];
        room = is_moderate((int64_t)t->factor) && is_moderate((int64_t)t->factor * factor);
        if (room) dh_affine_add(f, t->value, t->sign, t->factor * (uint64_t)factor);
    }
    if (!room) f->overfull = true;
    if (room) f->constant = (uint64_t)sum;
    return !f->overfull;
}

bool dh_affine_same_terms(struct ir_affine const *a, struct ir_affine const *b) {
    if (a->count != b->count || a->overfull || b->overfull) return false;
    for (uint32_t i = 0; i < a->count; i++) {
        struct ir_term const *s = &a->terms[i], *t = &b->terms[i];
        if (s->value != t->value || s->sign != t->sign || s->factor != t->factor) return false;
    }
    return true;
}

uint32_t dh_affine_hash(struct ir_affine const *f) {
    uint64_t hash = f->count;
    for (uint32_t i = 0; i < f->count; i++) {
        struct ir_term const *t = &f->terms[i];
        hash = (hash ^ (uintptr_t)t->value ^ t->factor << 8 ^ t->sign) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return (uint32_t)(hash >> 32);
}
