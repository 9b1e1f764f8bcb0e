/* Where the part of a row that was written last begins, a cell becomes fine by what begins there,
 * or nearly so (dh_list_leads, rt/lists.h): with what was done to it, and those before it with what
 * was done to them, and the rest stays as it is. And what a run has more than the last one from its
 * place, on either side, is judged (rt/runs.c).
 * EXPECT: in begun_by_run
 * EXPECT: in behind_run
 * EXPECT: in begun_by_read
 * EXPECT: in begun_further
 * EXPECT: in begun_by_one
 * EXPECT: in begun_by_one_further
 * EXPECT: in more_below
 * EXPECT: in more_above
 * EXPECT: in more_on_both
 * REJECT: in ordered
 */
#include "sweeps.h"

/* Here begins what is in one piece when the turns are over. */
enum { EDGE = STEPS + 1 };

#define TOUCH(name, element) \
    __attribute__((noinline)) static void name(void) { (element) += 1; }

TOUCH(begun_by_run, rows[0][EDGE])
TOUCH(behind_run, rows[1][EDGE + 1])
TOUCH(begun_by_read, rows[2][EDGE])
TOUCH(begun_further, rows[3][EDGE + 2])
TOUCH(begun_by_one, rows[4][EDGE])
TOUCH(begun_by_one_further, rows[5][EDGE + 1])
TOUCH(more_below, rows[6][380])
TOUCH(more_above, rows[7][439])
TOUCH(more_on_both, rows[8][440])

__attribute__((noinline)) static void ordered(void) {
    rows[0][EDGE - 1] += 1;
    rows[3][EDGE] += 1;
    rows[3][EDGE + 1] += 1;
    rows[4][EDGE - 1] += 1;
    rows[4][EDGE + 1] += 1;
    rows[5][EDGE] += 1;
    rows[5][EDGE + 2] += 1;
    rows[6][379] += 1;
    rows[7][440] += 1;
    rows[8][379] += 1;
    rows[8][441] += 1;
}

__attribute__((noinline)) static void write_one(double *to) { *to += 1; }

static void *first(void *unused) {
    take_turns(0);
    write_range(rows[0], EDGE, LENGTH);
    write_range(rows[1], EDGE, LENGTH);
    column += read_range(rows[2], EDGE, LENGTH);
    write_range(rows[3], EDGE + 2, LENGTH);
    write_one(&rows[4][EDGE]);
    write_one(&rows[5][EDGE + 1]);
    column += read_range(rows[6], 390, 430);
    column += read_range(rows[6], 380, 420);
    column += read_range(rows[7], 390, 430);
    column += read_range(rows[7], 400, 440);
    column += read_range(rows[8], 390, 430);
    column += read_range(rows[8], 380, 441);
    step();
    return unused;
}

static void *second(void *unused) {
    take_turns(1);
    step();
    ordered();
    begun_by_run();
    behind_run();
    begun_by_read();
    begun_further();
    begun_by_one();
    begun_by_one_further();
    more_below();
    more_above();
    more_on_both();
    return unused;
}

int main(void) {
    pthread_barrier_init(&turn, NULL, 2);
    run_two(first, second);
    return 0;
}
