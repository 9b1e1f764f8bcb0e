/* Two threads that print to one file are not ordered by that; and a stream must not be closed under another's hands. */
// FLAGS: -D_GNU_SOURCE -D__NO_INLINE__
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "access/cases.h"

static FILE *file;
int data;

static void print(void) {
    data = 1;
    fprintf(file, "%d\n", 1);
}
static void print_too(void) {
    fprintf(file, "%d\n", 2);
    data = 2;
}

/* What is done to a stream that another thread closes: X(name, call). */
#define USES(X)                                                                                        \
    X(fputs, fputs("x", f))                                                                            \
    X(feof_unlocked, feof_unlocked(f))                                                                 \
    X(ferror_unlocked, ferror_unlocked(f))                                                             \
    X(fileno_unlocked, fileno_unlocked(f))                                                             \
    X(clearerr_unlocked, clearerr_unlocked(f))                                                         \
    X(setlinebuf, setlinebuf(f))                                                                       \
    X(setbuffer, setbuffer(f, NULL, 0))
#define NO_TAIL __asm__ volatile("") /* calls at the end are jumps, and all reports would be alike */
#define DEFINE(name, call)                                                                             \
    static FILE *of_##name;                                                                            \
    static void use_##name(void) {                                                                     \
        FILE *f = of_##name;                                                                           \
        (void)call;                                                                                    \
        NO_TAIL;                                                                                       \
    }                                                                                                  \
    static void close_##name(void) {                                                                   \
        fclose(of_##name);                                                                             \
        NO_TAIL;                                                                                       \
    }
USES(DEFINE)
#define PAIR(name, call) {"fclose and " #name, use_##name, close_##name},
#define OPEN(name, call) CHECK((of_##name = tmpfile()));

static struct case_pair const pairs[] = {{"one file", print, print_too}, USES(PAIR)};

int main(void) {
    CHECK((file = tmpfile()));
    USES(OPEN)
    CASES_RUN(pairs, 1);
    return 0;
}
