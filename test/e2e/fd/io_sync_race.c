/* With io_sync=0 not even a pipe orders. */
// ENV: DEADHEAT_OPTIONS=io_sync=0
#include "access/cases.h"

#include <unistd.h>

int data;
static int ends[2];

static void writes(void) {
    data = 1;
    CHECK(write(ends[1], "x", 1) == 1);
}
static void reads(void) {
    char byte;
    CHECK(read(ends[0], &byte, 1) == 1);
    data++;
}

static struct case_pair const pairs[] = {{"a pipe", writes, reads}};

int main(void) {
    CHECK(pipe(ends) == 0);
    CASES_RUN(pairs, 1);
    return 0;
}
