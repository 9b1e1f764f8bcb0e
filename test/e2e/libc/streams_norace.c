/* What goes through a stream is ordered by its descriptor; and a stream's lock is one. */
// FLAGS: -D_GNU_SOURCE
#include "access/cases.h"

#include <string.h>
#include <unistd.h>

static FILE *from, *to, *locked;
int by_line, by_format, by_close, by_lock, by_process;

static void put_line(void) {
    by_line = 1;
    CHECK(fputs("hello\n", to) >= 0 && fflush(to) == 0);
}
static void get_line(void) {
    char line[100];
    CHECK(fgets(line, sizeof line, from) && by_line++ == 1);
}
static void put_format(void) {
    by_format = 1;
    CHECK(fprintf(to, "%d\n", 42) > 0 && fflush(to) == 0);
}
static void get_format(void) {
    int number;
    CHECK(fscanf(from, "%d", &number) == 1 && number == 42 && by_format++ == 1);
}
static void put_end(void) {
    by_close = 1;
    CHECK(fputc('x', to) == 'x' && fclose(to) == 0);
}
static void get_end(void) {
    CHECK(getc(from) == '\n' && getc(from) == 'x' && getc(from) == EOF);
    CHECK(by_close++ == 1);
}
static void lock(void) {
    flockfile(locked);
    by_lock++;
    funlockfile(locked);
}

static struct case_pair const pairs[] = {
    {"fputs, fgets", put_line, get_line},
    {"fprintf, fscanf", put_format, get_format},
    {"fclose, the end", put_end, get_end},
    {"flockfile", lock, lock},
};

int main(void) {
    int ends[2];
    CHECK(pipe(ends) == 0 && (from = fdopen(ends[0], "r")) && (to = fdopen(ends[1], "w")));
    CHECK((locked = tmpfile()));
    CASES_RUN(pairs, 0);
    return 0;
}
