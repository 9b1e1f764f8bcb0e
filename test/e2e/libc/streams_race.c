/* Two threads that print to one file are not ordered by that; and a stream must not be closed under another's hands. */
// FLAGS: -D_GNU_SOURCE
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "access/cases.h"

static FILE *file, *closing;
int data;

static void print(void) {
    data = 1;
    fprintf(file, "%d\n", 1);
}
static void print_too(void) {
    fprintf(file, "%d\n", 2);
    data = 2;
}
static void use(void) { fputs("x", closing); }
static void finish(void) { fclose(closing); }

static struct case_pair const pairs[] = {
    {"one file", print, print_too},
    {"fclose", use, finish},
};

int main(void) {
    CHECK((file = tmpfile()) && (closing = tmpfile()));
    CASES_RUN(pairs, 1);
    return 0;
}
