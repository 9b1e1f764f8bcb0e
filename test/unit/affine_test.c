/* Affine forms and difference bounds against arithmetic itself: on integers of four bits every value can be tried. */
#include "ir/affine.h"
#include "ir/bounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { WIDTH = 4, VALUES = 1 << WIDTH, VARIABLES = 3 };

/* Values are told apart by their addresses only. */
static ir_value name(unsigned i) { return (ir_value)(uintptr_t)(0x1000 + 16 * i); }

static int64_t read_as(unsigned bits, enum ir_sign sign) {
    return sign == IR_SIGNED && bits >= VALUES / 2 ? (int64_t)bits - VALUES : (int64_t)bits;
}

/* ---- forms ---- */

static uint64_t value_of(struct ir_affine const *f, uint64_t const *values) {
    uint64_t sum = f->constant;
    for (uint32_t i = 0; i < f->count; i++)
        sum += f->terms[i].factor * values[((uintptr_t)f->terms[i].value - 0x1000) / 16];
    return sum;
}

static void forms_are_sums(void **state) {
    (void)state;
    uint64_t values[IR_TERMS_MAX];
    srandom(1);
    for (int round = 0; round < 20000; round++) {
        struct ir_affine f = {0}, g = {0};
        uint64_t sum = 0, other = 0;
        for (unsigned i = 0; i < IR_TERMS_MAX; i++)
            values[i] = (uint64_t)random() << 33 ^ (uint64_t)random();
        for (int step = 0; step < 12; step++) {
            unsigned i = (unsigned)random() % IR_TERMS_MAX;
            uint64_t factor = (uint64_t)(random() % 7 - 3) << random() % 64;
            struct ir_affine *to = step % 2 ? &f : &g;
            dh_affine_add(to, name(i), IR_WHOLE, factor);
            *(step % 2 ? &sum : &other) += factor * values[i];
        }
        f.constant += 5;
        dh_affine_add_form(&f, &g, 0 - (uint64_t)3);
        assert_false(f.overfull);
        assert_int_equal(value_of(&f, values), sum + 5 - 3 * other);
        for (uint32_t i = 0; i < f.count; i++) {
            assert_int_not_equal(f.terms[i].factor, 0);
            if (i > 0) assert_true(f.terms[i - 1].value < f.terms[i].value);
        }
    }
}

static void forms_that_cancel(void **state) {
    (void)state;
    struct ir_affine f = {0}, g = {0};
    dh_affine_add(&f, name(1), IR_SIGNED, 4);
    dh_affine_add(&f, name(1), IR_UNSIGNED, 4); /* another integer */
    assert_int_equal(f.count, 2);
    dh_affine_add(&g, name(1), IR_UNSIGNED, 4);
    dh_affine_add(&g, name(1), IR_SIGNED, 4);
    assert_true(dh_affine_same_terms(&f, &g));
    assert_int_equal(dh_affine_hash(&f), dh_affine_hash(&g));
    g.constant = 9;
    assert_true(dh_affine_same_terms(&f, &g)); /* they differ by a constant */
    dh_affine_add_form(&f, &g, UINT64_MAX);
    assert_int_equal(f.count, 0);
    assert_int_equal(f.constant, (uint64_t)-9);
    /* Half of the numbers and half of the numbers is nothing. */
    dh_affine_add(&f, name(2), IR_WHOLE, (uint64_t)1 << 63);
    dh_affine_add(&f, name(2), IR_WHOLE, (uint64_t)1 << 63);
    assert_int_equal(f.count, 0);
}

static void forms_without_room(void **state) {
    (void)state;
    struct ir_affine f = {0}, g = {0};
    for (unsigned i = 0; i < IR_TERMS_MAX; i++)
        dh_affine_add(&f, name(i), IR_WHOLE, 1);
    g = f;
    assert_true(dh_affine_same_terms(&f, &g));
    dh_affine_add(&f, name(IR_TERMS_MAX), IR_WHOLE, 1);
    assert_true(f.overfull);
    assert_false(dh_affine_same_terms(&f, &f)); /* it is no form of anything */
    dh_affine_add_form(&g, &f, 1);
    assert_true(g.overfull);
}

static void exact_forms_do_not_wrap(void **state) {
    (void)state;
    struct ir_affine const most = {.constant = INT64_MAX},
                           least = {.constant = (uint64_t)INT64_MIN};
    struct ir_affine f = {.constant = 1};
    assert_false(dh_affine_add_exact(&f, &most, 1));
    assert_true(f.overfull);
    f = (struct ir_affine){0};
    assert_false(dh_affine_add_exact(&f, &least, -1));
    f = (struct ir_affine){.constant = (uint64_t)-1};
    assert_true(dh_affine_add_exact(&f, &most, 1));
    assert_int_equal((int64_t)f.constant, INT64_MAX - 1);
    struct ir_affine g = {0};
    dh_affine_add(&g, name(0), IR_SIGNED, (uint64_t)IR_FACTOR_MAX);
    f = (struct ir_affine){0};
    assert_true(dh_affine_add_exact(&f, &g, -1));
    assert_int_equal((int64_t)f.terms[0].factor, -IR_FACTOR_MAX);
    assert_false(dh_affine_add_exact(&f, &g, 2));
}

/* ---- bounds ---- */

/* Knots of small integers, and bounds between them. */
struct system {
    unsigned variables, count;
    struct {
        unsigned x, y; /* knots are 2 * variable + sign; 0 and 1 are the number 0 */
        int64_t c;
    } bounds[6];
};

static enum ir_sign sign_of(unsigned k) { return k % 2 ? IR_UNSIGNED : IR_SIGNED; }

static int64_t read_knot(unsigned k, unsigned const *values) {
    return k < 2 ? 0 : read_as(values[k / 2 - 1], sign_of(k));
}

static uint32_t knot(struct ir_bounds *b, unsigned k) {
    return k < 2 ? 0 : dh_bounds_knot(b, name(k / 2), sign_of(k), WIDTH);
}

static void open_system(struct ir_bounds *b, struct system const *s) {
    dh_bounds_open(b);
    for (unsigned k = 2; k < 2 + 2 * s->variables; k++)
        assert_int_not_equal(knot(b, k), 0);
    for (unsigned i = 0; i < s->count; i++)
        dh_bounds_add(b, knot(b, s->bounds[i].x), knot(b, s->bounds[i].y), s->bounds[i].c);
    dh_bounds_close(b);
}

/* Calls for every assignment that the bounds allow. Returns how many there are. */
static unsigned long each(struct system const *s, void (*call)(void *, unsigned const *),
                          void *to) {
    unsigned values[VARIABLES];
    unsigned long all = 1ul << WIDTH * s->variables, allowed = 0;
    for (unsigned long n = 0; n < all; n++) {
        bool so = true;
        for (unsigned v = 0; v < s->variables; v++)
            values[v] = n >> WIDTH * v & (VALUES - 1);
        for (unsigned i = 0; so && i < s->count; i++)
            so = read_knot(s->bounds[i].x, values) - read_knot(s->bounds[i].y, values)
                 <= s->bounds[i].c;
        if (!so) continue;
        allowed++;
        call(to, values);
    }
    return allowed;
}

struct extremes {
    struct system const *system;
    int64_t most[2 + 2 * VARIABLES][2 + 2 * VARIABLES];
};

static void note_extremes(void *to, unsigned const *values) {
    struct extremes *e = to;
    for (unsigned x = 0; x < 2 + 2 * e->system->variables; x++)
        for (unsigned y = 0; y < 2 + 2 * e->system->variables; y++) {
            int64_t d = read_knot(x, values) - read_knot(y, values);
            if (d > e->most[x][y]) e->most[x][y] = d;
        }
}

/* All differences of two knots are at most what the bounds say. Returns how many bounds are exact. */
static unsigned check_system(struct system const *s) {
    struct ir_bounds b;
    struct extremes e = {.system = s};
    unsigned knots = 2 + 2 * s->variables, exact = 0;
    for (unsigned x = 0; x < knots; x++)
        for (unsigned y = 0; y < knots; y++)
            e.most[x][y] = INT64_MIN;
    open_system(&b, s);
    if (each(s, note_extremes, &e) == 0) return knots * knots; /* whatever it says is right */
    for (unsigned x = 0; x < knots; x++)
        for (unsigned y = 0; y < knots; y++) {
            int64_t said = b.bound[knot(&b, x)][knot(&b, y)];
            assert_true(said >= e.most[x][y]);
            exact += said == e.most[x][y];
        }
    return exact;
}

/* Every bound between two integers of four bits, read in every way, and every pair of bounds on them that share
 * an end. */
static void every_small_system(void **state) {
    (void)state;
    unsigned long exact = 0, all = 0;
    for (unsigned x = 1; x < 6; x++)
        for (unsigned y = 1; y < 6; y++)
            for (int64_t c = -VALUES - 1; c <= VALUES + 1; c++) {
                if (x == y) continue;
                struct system s = {2, 1, {{x, y, c}}};
                exact += check_system(&s);
                all += 36;
                for (unsigned z = 1; z < 6; z++)
                    for (int64_t d = -VALUES / 2 - 1; d <= VALUES / 2 + 1; d += 3) {
                        if (z == y) continue;
                        s.count = 2;
                        s.bounds[1].x = y;
                        s.bounds[1].y = z;
                        s.bounds[1].c = d;
                        exact += check_system(&s);
                        all += 36;
                    }
            }
    print_message("%lu of %lu bounds are exact\n", exact, all);
    assert_true(exact > all / 2);
}

struct sum {
    struct ir_affine form;
    enum ir_sign whole;
    int64_t most;
};

static void note_sum(void *to, unsigned const *values) {
    struct sum *s = to;
    int64_t sum = (int64_t)s->form.constant;
    for (uint32_t i = 0; i < s->form.count; i++) {
        struct ir_term const *t = &s->form.terms[i];
        unsigned v = (unsigned)(((uintptr_t)t->value - 0x1000) / 16) - 1;
        sum += (int64_t)t->factor * read_as(values[v], t->sign == IR_WHOLE ? s->whole : t->sign);
    }
    if (sum > s->most) s->most = sum;
}

static void random_systems_and_sums(void **state) {
    (void)state;
    srandom(2);
    for (int round = 0; round < 1500; round++) {
        struct system s = {.variables = VARIABLES, .count = 1 + (unsigned)random() % 6};
        for (unsigned i = 0; i < s.count; i++) {
            s.bounds[i].x = 1 + (unsigned)random() % (1 + 2 * VARIABLES);
            s.bounds[i].y = 1 + (unsigned)random() % (1 + 2 * VARIABLES);
            s.bounds[i].c = random() % 24 - 9;
        }
        check_system(&s);
        struct ir_bounds b;
        open_system(&b, &s);
        for (int ask = 0; ask < 3; ask++) {
            struct sum sum = {.whole = ask % 2 ? IR_SIGNED : IR_UNSIGNED, .most = INT64_MIN};
            for (int t = 0; t < 4; t++)
                dh_affine_add(&sum.form, name(1 + (unsigned)random() % VARIABLES),
                              (enum ir_sign)(random() % 3), (uint64_t)(random() % 9 - 4));
            sum.form.constant = (uint64_t)(random() % 64 - 32);
            if (each(&s, note_sum, &sum) != 0)
                assert_true(dh_bounds_most(&b, &sum.form, sum.whole) >= sum.most);
        }
    }
}

/* At the ends of 64 bits less is known, and nothing wrong. */
static void wide_integers(void **state) {
    (void)state;
    struct ir_bounds b;
    struct ir_affine f = {0};
    dh_bounds_open(&b);
    uint32_t s = dh_bounds_knot(&b, name(1), IR_SIGNED, 64),
             u = dh_bounds_knot(&b, name(1), IR_UNSIGNED, 64);
    uint32_t v;
    dh_bounds_close(&b);
    dh_affine_add(&f, name(1), IR_UNSIGNED, 1);
    assert_int_equal(dh_bounds_most(&b, &f, IR_SIGNED), IR_UNBOUNDED);
    assert_int_equal(b.bound[s][u], IR_UNBOUNDED); /* it may be negative */
    dh_bounds_add(&b, 0, s, 0);
    dh_bounds_close(&b);
    assert_int_equal(b.bound[s][u], 0);
    assert_int_equal(b.bound[u][s], 0);
    f.terms[0].factor = (uint64_t)IR_FACTOR_MAX + 1;
    dh_bounds_add(&b, u, 0, 7);
    dh_bounds_close(&b);
    assert_int_equal(dh_bounds_most(&b, &f, IR_SIGNED), IR_UNBOUNDED);
    f.terms[0].factor = (uint64_t)IR_FACTOR_MAX;
    assert_int_equal(dh_bounds_most(&b, &f, IR_SIGNED), 7 * IR_FACTOR_MAX);
    dh_bounds_open(&b);
    u = dh_bounds_knot(&b, name(1), IR_UNSIGNED, 64);
    v = dh_bounds_knot(&b, name(2), IR_UNSIGNED, 64);
    dh_bounds_add(&b, v, u, -INT64_MAX); /* less than any bound that is kept */
    dh_bounds_close(&b);
    assert_int_equal(b.bound[v][u], -IR_BOUND_MAX);
}

static void no_room_for_knots(void **state) {
    (void)state;
    struct ir_bounds b;
    struct ir_affine f = {0};
    dh_bounds_open(&b);
    for (unsigned i = 1; i < IR_KNOTS_MAX; i++)
        assert_int_equal(dh_bounds_knot(&b, name(i), IR_SIGNED, 8), i);
    assert_int_equal(dh_bounds_knot(&b, name(IR_KNOTS_MAX), IR_SIGNED, 8), 0);
    assert_int_equal(dh_bounds_knot(&b, name(3), IR_SIGNED, 8), 3);
    dh_bounds_close(&b);
    dh_affine_add(&f, name(IR_KNOTS_MAX), IR_SIGNED, 1);
    assert_int_equal(dh_bounds_most(&b, &f, IR_SIGNED), IR_UNBOUNDED);
}

int main(void) {
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(forms_are_sums),     cmocka_unit_test(forms_that_cancel),
        cmocka_unit_test(forms_without_room), cmocka_unit_test(exact_forms_do_not_wrap),
        cmocka_unit_test(every_small_system), cmocka_unit_test(random_systems_and_sums),
        cmocka_unit_test(wide_integers),      cmocka_unit_test(no_room_for_knots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
