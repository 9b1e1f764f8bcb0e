/* Difference bounds: what is known of integers, as x - y <= c, and what follows from that.
 *
 *   knot   an integer: a value of the program of up to 64 bits, read with its sign or without. Knot
 *          0 is the number 0, so that x - 0 <= c bounds x.
 *   bound  x - y <= c
 *
 *   Invariant, once closed: bound[x][y] is the least that follows from the bounds given by adding
 *   them up, IR_UNBOUNDED if nothing does.
 *
 * The integers are those of mathematics. A bound of more than IR_BOUND_MAX is none, and one of less
 * than -IR_BOUND_MAX is made that: less is then known, and nothing wrong. There are IR_KNOTS_MAX
 * knots at most, and closing is cubic in those in use; whatever has no room is left out.
 */
#ifndef DEADHEAT_IR_BOUNDS_H
#define DEADHEAT_IR_BOUNDS_H

#include "ir/affine.h"

enum { IR_KNOTS_MAX = 20 };
#define IR_BOUND_MAX ((int64_t)1 << 62)
#define IR_UNBOUNDED INT64_MAX

struct ir_bounds {
    uint32_t count;
    struct ir_knot {
        ir_value value;
        enum ir_sign sign; /* never IR_WHOLE */
        unsigned width;
    } knots[IR_KNOTS_MAX];
    int64_t bound[IR_KNOTS_MAX][IR_KNOTS_MAX];
};

void dh_bounds_open(struct ir_bounds *bounds);

/* The knot of an integer; 0: there is no room. What its width says of it is known. */
uint32_t dh_bounds_knot(struct ir_bounds *bounds, ir_value value, enum ir_sign sign,
                        unsigned width);
/* The knot, if there is one; else 0. */
uint32_t dh_bounds_find(struct ir_bounds const *bounds, ir_value value, enum ir_sign sign);

/* x - y <= c. */
void dh_bounds_add(struct ir_bounds *bounds, uint32_t x, uint32_t y, int64_t c);

/* Closes the bounds; values that are the same with sign and without are found out, too. */
void dh_bounds_close(struct ir_bounds *bounds);

/* A sum of integers: terms that are IR_WHOLE are read with sign `whole`, factors and the constant
 * as signed numbers. It is at most this, IR_UNBOUNDED if that is not known. */
int64_t dh_bounds_most(struct ir_bounds const *bounds, struct ir_affine const *sum,
                       enum ir_sign whole);

#endif
