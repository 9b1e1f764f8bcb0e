/* Affine forms: a constant and multiples of terms, added up modulo 2^64.
 *
 *   term  an integer: a value of the program of 64 bits, a pointer among them, or a narrower one as
 *         it is when it is extended, with its sign or without
 *   form  constant + factor * term + ...
 *
 *   Invariant: a form's terms are sorted, each is there once, and no factor is 0. So two forms are
 *   the same sum if they are the same terms and constant; whatever the terms are, they then have
 *   the same value.
 *
 * Of some forms the integer itself is meant, not only what it is modulo 2^64: those are *exact*.
 *
 * Pure functions: values are told apart and never looked into.
 */
#ifndef DEADHEAT_IR_AFFINE_H
#define DEADHEAT_IR_AFFINE_H

#include "ir/access.h"

#include <stdbool.h>
#include <stdint.h>

enum { IR_TERMS_MAX = 6 };
/* Of exact sums: products with them have room. */
#define IR_FACTOR_MAX ((int64_t)1 << 31)

/* How a value is read as an integer. For one of 64 bits it does not matter modulo 2^64. */
enum ir_sign {
    IR_WHOLE,    /* it has 64 bits */
    IR_SIGNED,   /* narrower, and sign-extended */
    IR_UNSIGNED, /* narrower, and zero-extended */
};

struct ir_term {
    ir_value value;
    enum ir_sign sign;
    uint64_t factor;
};

struct ir_affine {
    uint64_t constant;
    uint32_t count;
    bool overfull; /* there were more terms than have room: it is no form of anything */
    struct ir_term terms[IR_TERMS_MAX];
};

/* Adds factor * value. */
void dh_affine_add(struct ir_affine *form, ir_value value, enum ir_sign sign, uint64_t factor);
/* Adds factor * another form. */
void dh_affine_add_form(struct ir_affine *form, struct ir_affine const *other, uint64_t factor);

/* The same where the sum is one of integers, which do not wrap, and factors and constants are
 * signed. False: it has no room, and the form is no longer one. */
bool dh_affine_add_exact(struct ir_affine *form, struct ir_affine const *other, int64_t factor);

/* They differ by a constant. */
bool dh_affine_same_terms(struct ir_affine const *a, struct ir_affine const *b);
/* A number that is the same for forms of the same terms. */
uint32_t dh_affine_hash(struct ir_affine const *form);

#endif
