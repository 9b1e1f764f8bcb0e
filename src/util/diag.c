#include "util/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static char const *speaker = "deadheat";

void dh_diag_speaker(char const *name) { speaker = name; }

void dh_fail(char const *format, ...) {
    /* What was printed so far comes first, also where both go to one file. */
    fflush(stdout);
    flockfile(stderr);
    fprintf(stderr, "%s: ", speaker);
    va_list values;
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    putc('\n', stderr);
    funlockfile(stderr);
    exit(DH_EXIT_TROUBLE);
}
