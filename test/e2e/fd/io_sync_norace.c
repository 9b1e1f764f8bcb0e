/* With io_sync=2 a regular file orders, too. */
// FLAGS: -D_GNU_SOURCE
// ENV: DEADHEAT_OPTIONS=io_sync=2
#include "access/cases.h"

#include <fcntl.h>
#include <unistd.h>

int data;
static int file;

static void writes(void) {
    data = 1;
    CHECK(pwrite(file, "x", 1, 0) == 1);
}
static void reads(void) {
    char byte;
    CHECK(pread(file, &byte, 1, 0) == 1);
    data++;
}

static struct case_pair const pairs[] = {{"a file", writes, reads}};

int main(void) {
    file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    CHECK(file != -1);
    CASES_RUN(pairs, 0);
    return 0;
}
