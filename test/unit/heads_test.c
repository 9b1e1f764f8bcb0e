/* The heads of a cell, against the rule by the book: every release that a byte has seen is kept, and
 * a load knows what any of them knew. Also that no clock is lost: each is among those kept or among
 * those given up, once.
 */
#include "core/heads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 4, BYTES = 8, STEPS = 60, RUNS = 3000, LISTED = STEPS + 1 };

static unsigned long state;
static unsigned pick(unsigned n) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(state >> 33) % n;
}

static struct dh_vc *vc_of(dh_tick const *ticks) {
    struct dh_vc *vc = malloc(sizeof *vc + THREADS * sizeof *ticks);
    *vc = (struct dh_vc){.refs = 1, .size = THREADS};
    memcpy(vc->ticks, ticks, THREADS * sizeof *ticks);
    return vc;
}

/* ---- by the book ---- */

struct release {
    unsigned thread;
    dh_tick ticks[THREADS];
};
struct book {
    unsigned count;
    struct release list[STEPS];
};

static void book_store(struct book *b, unsigned continuing) {
    unsigned kept = 0;
    for (unsigned i = 0; i < b->count; i++)
        if (b->list[i].thread == continuing) b->list[kept++] = b->list[i];
    b->count = kept;
}

static dh_tick book_knows(struct book const *b, unsigned thread, unsigned of) {
    dh_tick most = 0;
    for (unsigned i = 0; i < b->count; i++)
        if (b->list[i].thread == thread && b->list[i].ticks[of] > most) most = b->list[i].ticks[of];
    return most;
}

/* ---- as it is kept ---- */

static uint32_t given_up(struct dh_snapshot *list, uint32_t count, uint32_t kept) {
    assert_true(kept <= count);
    for (uint32_t i = 0; i < count; i++) {
        assert_true((list[i].bytes != 0) == (i < kept));
        if (i >= kept) free(list[i].vc); /* a clock that is there twice would be freed twice */
    }
    return kept;
}

static void compare(struct dh_snapshot const *list, uint32_t count, struct book const *books) {
    for (unsigned b = 0; b < BYTES; b++)
        for (unsigned t = 0; t < THREADS; t++) {
            struct dh_snapshot const *head = 0;
            for (uint32_t i = 0; i < count; i++)
                if (list[i].thread == t && list[i].bytes >> b & 1) {
                    assert_null(head);
                    head = &list[i];
                }
            for (unsigned u = 0; u < THREADS; u++)
                assert_int_equal(head ? dh_vc_tick(head->vc, u) : 0, book_knows(&books[b], t, u));
        }
}

static void one_run(void) {
    static struct book books[BYTES];
    dh_tick clocks[THREADS][THREADS] = {0};
    struct release fenced[THREADS] = {0}; /* tick 0: no fence yet */
    struct dh_snapshot list[LISTED];
    uint32_t count = 0;
    for (unsigned b = 0; b < BYTES; b++)
        books[b].count = 0;
    for (unsigned t = 0; t < THREADS; t++)
        clocks[t][t] = 1;
    for (unsigned step = 0; step < STEPS; step++) {
        unsigned t = pick(THREADS), u = pick(THREADS), bytes = 1 + pick(255), what = pick(5);
        struct release mine = {.thread = t};
        memcpy(mine.ticks, clocks[t], sizeof mine.ticks);
        if (what == 0) { /* learns something */
            dh_ticks_join(clocks[t], clocks[u], THREADS);
            clocks[t][t]++;
            clocks[u][u]++;
            continue;
        }
        if (what == 1) { /* a release fence */
            fenced[t] = mine;
            clocks[t][t]++;
            continue;
        }
        bool store = what == 2, releases = pick(2);
        uint32_t continuing = pick(3) ? t : DH_NO_THREAD;
        if (store) {
            for (unsigned b = 0; b < BYTES; b++)
                if (bytes >> b & 1) book_store(&books[b], continuing);
            count = given_up(list, count, dh_heads_overwrite(list, count, bytes, continuing));
        }
        struct release r = releases ? mine : fenced[t];
        if (r.ticks[t] != 0) {
            struct dh_snapshot head = {vc_of(r.ticks), {t, r.ticks[t]}, t, (uint8_t)bytes};
            for (unsigned b = 0; b < BYTES; b++)
                if (bytes >> b & 1) books[b].list[books[b].count++] = r;
            count = given_up(list, count + 1, dh_heads_publish(list, count, head));
        }
        if (releases) clocks[t][t]++;
        compare(list, count, books);
    }
    given_up(list, count, dh_heads_overwrite(list, count, 255, DH_NO_THREAD));
}

static void heads_lose_nothing(void **unused) {
    (void)unused;
    for (state = 1; state <= RUNS; state++) {
        unsigned long seed = state;
        one_run();
        state = seed;
    }
}

/* A thread that is gone, and whose slot another has, goes on in nobody's sequence. */
static void slots_are_inherited(void **unused) {
    (void)unused;
    dh_tick old[THREADS] = {3, 0, 1, 0}, new[THREADS] = {7, 0, 1, 0};
    struct dh_snapshot list[3] = {{vc_of(old), {0, 3}, 11, 0x0f}};
    uint32_t count = dh_heads_publish(list, 1, (struct dh_snapshot){vc_of(new), {0, 7}, 12, 0x3c});
    assert_int_equal(count, 2);
    assert_int_equal(list[0].bytes, 0x03);
    assert_int_equal(list[1].bytes, 0x3c);
    given_up(list, 2, dh_heads_overwrite(list, 2, 255, DH_NO_THREAD));
}

int main(void) {
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(heads_lose_nothing),
        cmocka_unit_test(slots_are_inherited),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
