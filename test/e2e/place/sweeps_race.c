/* When the turns are over the first thread goes on, and so does the second, which has no order with
 * that: in each of the forms that a block can have, and in states that it has met and that it has not.
 * EXPECT: whole_block
 * EXPECT: end_of_list
 * EXPECT: begin_of_list
 * EXPECT: one_of_list
 * EXPECT: fine_trail
 * EXPECT: owned_block
 * EXPECT: written_meanwhile
 * REJECT: ordered_rows
 */
#include "sweeps.h"

/* Each has a line of its own. */
#define WAY(name, row, from, end)                      \
    __attribute__((noinline)) static void name(void) { \
        for (long j = (from); j < (end); j++)          \
            (row)[j] += 1;                             \
    }

/* Blocks have 128 elements, and rows begin at 0, 470, 940 of them. */
WAY(whole_block, rows[0], 256, 384)
WAY(end_of_list, rows[2], 310, 330)
WAY(begin_of_list, rows[4], LENGTH - 40, LENGTH)
WAY(one_of_list, rows[6], LENGTH - 3, LENGTH - 2)
WAY(fine_trail, rows[8], 100, 140)
WAY(owned_block, own, 1024, 3000)
WAY(written_meanwhile, rows[14], STEPS, LENGTH)

/* What these find is of the turns: the thread knows what becomes of it. */
static void ordered_rows(void) {
    for (long i = 10; i < ROWS; i++)
        if (i != 14) write_range(rows[i], STEPS, LENGTH);
}

static void read_before(void) {
    for (long i = 0; i < 8; i++)
        column += read_range(rows[i], STEPS, LENGTH);
}

static void *first(void *unused) {
    take_turns(0);
    read_before();
    rows[8][120] = 1;
    write_range(own, 1000, 3500);
    step();
    step();
    write_range(rows[14], STEPS - 10, LENGTH);
    step();
    return unused;
}

static void *second(void *unused) {
    take_turns(1);
    step();
    ordered_rows();
    step();
    step();
    written_meanwhile();
    whole_block();
    end_of_list();
    begin_of_list();
    one_of_list();
    fine_trail();
    owned_block();
    return unused;
}

int main(void) {
    pthread_barrier_init(&turn, NULL, 2);
    run_two(first, second);
    return 0;
}
