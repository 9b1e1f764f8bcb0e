/* Rows: accesses side by side that are one in the source, as those of a loop that was unrolled. What is new about
 * them is one step, and a race is one access's. */
#ifndef DEADHEAT_TEST_ROWS_H
#define DEADHEAT_TEST_ROWS_H

#include "test.h"

#include <stdint.h>

enum { ROW = 8, ROWS = 4096 };
int32_t *rows; /* begins in the middle of a cell */
int64_t longs[ROWS][4];
_Thread_local int64_t volatile result;

__attribute__((noinline)) int64_t read_row(int32_t const *row) {
    int64_t sum = 0;
    for (int i = 0; i < ROW; i++)
        sum += row[i];
    return sum;
}

__attribute__((noinline)) void write_row(int64_t *row, int64_t value) {
    for (int i = 0; i < 4; i++)
        row[i] = value + i;
}

/* All over, then as neighbours. */
static inline void read_all(void) {
    for (int i = 0; i < ROWS; i++)
        result = read_row(&rows[(size_t)(i * 2531 % ROWS) * ROW]);
    for (int i = 0; i < ROWS; i++)
        result = read_row(&rows[(size_t)i * ROW]);
}

static inline void write_all(int64_t value) {
    for (int i = 0; i < ROWS; i++)
        write_row(longs[i * 2531 % ROWS], value);
}

static inline void rows_begin(void) {
    char *memory = calloc((size_t)ROWS * ROW * sizeof *rows + 64, 1);
    CHECK(memory);
    rows = (int32_t *)(void *)(memory + 4);
}

#endif
