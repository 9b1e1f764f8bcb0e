/* One access of a row races, before another's and behind it: the report is of that one, with its own size and
 * address, on both sides. And a row whose middle is on record is not: its first access and its last are new.
 *
 * FLAGS: -g
 * EXPECT: Previous read of size 4 at
 * EXPECT: ^ *#0 read_row .*rows.h:18
 * EXPECT: Write of size 8 at
 * EXPECT: ^ *#0 write_row .*rows.h:24
 * EXPECT: 6 races reported .6 occurrences. */
#include "rows.h"

_Alignas(64) int32_t aligned[ROW];

__attribute__((noinline)) int32_t read_one(int32_t const *p) { return *p; }

static void read_middle(int32_t const *row) {
    for (int i = 1; i < ROW - 1; i++)
        result = read_one(&row[i]);
}

static void *first(void *unused) {
    (void)unused;
    read_middle(aligned);
    read_middle(&rows[200 * ROW]);
    result = read_row(aligned);
    result = read_row(&rows[200 * ROW]);
    read_all();
    longs[77][2] = 1;
    step();
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    rows[100 * ROW + 3] = 1;
    rows[200 * ROW] = 1;
    rows[200 * ROW + ROW - 1] = 1;
    aligned[0] = 1;
    aligned[ROW - 1] = 1;
    write_all(1);
    step();
    return NULL;
}

int main(void) {
    rows_begin();
    run_two(first, second);
    return 0;
}
