#include "ir/bounds.h"

#include <string.h>

typedef __int128 wide;

static int64_t rounded(wide c) {
    if (c > IR_BOUND_MAX) return IR_UNBOUNDED;
    return c < -IR_BOUND_MAX ? -IR_BOUND_MAX : (int64_t)c;
}

void dh_bounds_open(struct ir_bounds *b) {
    b->count = 1;
    b->knots[0] = (struct ir_knot){0};
    b->bound[0][0] = 0;
}

uint32_t dh_bounds_find(struct ir_bounds const *b, ir_value value, enum ir_sign sign) {
    for (uint32_t i = 1; i < b->count; i++)
        if (b->knots[i].value == value && b->knots[i].sign == sign) return i;
    return 0;
}

static wide power(unsigned exponent) { return (wide)1 << exponent; }

uint32_t dh_bounds_knot(struct ir_bounds *b, ir_value value, enum ir_sign sign, unsigned width) {
    uint32_t knot = dh_bounds_find(b, value, sign);
    if (knot != 0 || b->count == IR_KNOTS_MAX) return knot;
    knot = b->count++;
    b->knots[knot] = (struct ir_knot){value, sign, width};
    for (uint32_t i = 0; i < knot; i++)
        b->bound[i][knot] = b->bound[knot][i] = IR_UNBOUNDED;
    b->bound[knot][knot] = 0;
    if (sign == IR_SIGNED) {
        b->bound[knot][0] = rounded(power(width - 1) - 1);
        b->bound[0][knot] = rounded(power(width - 1));
    } else {
        b->bound[knot][0] = rounded(power(width) - 1);
        b->bound[0][knot] = 0;
    }
    return knot;
}

void dh_bounds_add(struct ir_bounds *b, uint32_t x, uint32_t y, int64_t c) {
    int64_t *old = &b->bound[x][y];
    if (x == y) return;
    c = rounded(c);
    if (c < *old) *old = c;
}

static void close_once(struct ir_bounds *b) {
    for (uint32_t k = 0; k < b->count; k++)
        for (uint32_t i = 0; i < b->count; i++) {
            if (i == k || b->bound[i][k] == IR_UNBOUNDED) continue;
            for (uint32_t j = 0; j < b->count; j++) {
                if (j == k || j == i || b->bound[k][j] == IR_UNBOUNDED) continue;
                int64_t c = rounded((wide)b->bound[i][k] + b->bound[k][j]);
                if (c < b->bound[i][j]) b->bound[i][j] = c;
            }
        }
}

/* A value that is not negative is the same read either way. */
static bool join_signs(struct ir_bounds *b) {
    bool joined = false;
    for (uint32_t s = 1; s < b->count; s++) {
        if (b->knots[s].sign != IR_SIGNED) continue;
        uint32_t u = dh_bounds_find(b, b->knots[s].value, IR_UNSIGNED);
        if (u == 0 || (b->bound[s][u] <= 0 && b->bound[u][s] <= 0)) continue;
        bool small =
            b->bound[u][0] != IR_UNBOUNDED && b->bound[u][0] < power(b->knots[s].width - 1);
        if (b->bound[0][s] > 0 && !small) continue;
        dh_bounds_add(b, s, u, 0);
        dh_bounds_add(b, u, s, 0);
        joined = true;
    }
    return joined;
}

void dh_bounds_close(struct ir_bounds *b) {
    do {
        close_once(b);
    } while (join_signs(b));
}

/* A term of a sum: a knot, and how much is left of its factor. */
struct part {
    uint32_t knot;
    int64_t factor;
};

static wide product(int64_t factor, int64_t bound) { return (wide)factor * bound; }

/* Takes the part of two terms that is a multiple of their difference. Which two: those for which
 * their difference says most, compared with each alone. */
static bool take_difference(struct ir_bounds const *b, struct part *parts, uint32_t count,
                            wide *most) {
    struct part *best_up = NULL, *best_down = NULL;
    wide best = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < count; j++) {
            struct part *up = &parts[i], *down = &parts[j];
            if (up->factor <= 0 || down->factor >= 0) continue;
            int64_t c = b->bound[up->knot][down->knot];
            if (c == IR_UNBOUNDED) continue;
            wide alone = (wide)b->bound[up->knot][0] + b->bound[0][down->knot];
            if (best_up && alone - c <= best) continue;
            best = alone - c;
            best_up = up;
            best_down = down;
        }
    if (!best_up) return false;
    int64_t times = best_up->factor < -best_down->factor ? best_up->factor : -best_down->factor;
    *most += product(times, b->bound[best_up->knot][best_down->knot]);
    best_up->factor -= times;
    best_down->factor += times;
    return true;
}

int64_t dh_bounds_most(struct ir_bounds const *b, struct ir_affine const *sum, enum ir_sign whole) {
    struct part parts[IR_TERMS_MAX];
    wide most = (int64_t)sum->constant;
    if (sum->overfull) return IR_UNBOUNDED;
    for (uint32_t i = 0; i < sum->count; i++) {
        struct ir_term const *t = &sum->terms[i];
        enum ir_sign sign = t->sign == IR_WHOLE ? whole : t->sign;
        parts[i] = (struct part){dh_bounds_find(b, t->value, sign), (int64_t)t->factor};
        if (parts[i].knot == 0 || parts[i].factor > IR_FACTOR_MAX
            || parts[i].factor < -IR_FACTOR_MAX)
            return IR_UNBOUNDED;
    }
    while (take_difference(b, parts, sum->count, &most)) {}
    for (uint32_t i = 0; i < sum->count; i++) {
        if (parts[i].factor == 0) continue;
        bool up = parts[i].factor > 0;
        int64_t c = up ? b->bound[parts[i].knot][0] : b->bound[0][parts[i].knot];
        if (c == IR_UNBOUNDED) return IR_UNBOUNDED;
        most += product(up ? parts[i].factor : -parts[i].factor, c);
    }
    return rounded(most);
}
