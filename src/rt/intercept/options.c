/* The options of a command. Where getopt stands, and what it found, is in variables that all
 * threads share. */
#include "rt/intercept/table.h"

#include <getopt.h>
#include <stdlib.h>

#define TAKES_ONE                                   \
    READS_BYTES(argv, (size_t)count * sizeof *argv) \
    READS_STRING(letters) READS(&opterr) READS(&optind) WRITES(&optind)

#define FOUND WRITES(&optarg) if (result == '?') WRITES(&optopt)

ROW(int, getopt, (int count, char *const argv[], char const *letters), (count, argv, letters),
    TAKES_ONE, FOUND)
#define LONG(name)                                                                       \
    ROW(int, name,                                                                       \
        (int count, char *const argv[], char const *letters, struct option const *names, \
         int *index),                                                                    \
        (count, argv, letters, names, index), TAKES_ONE, FOUND)
LONG(getopt_long)
LONG(getopt_long_only)

/* Cuts the string where the option ends. */
INTERCEPT(int, getsubopt, (char **rest, char *const *names, char **value)) {
    struct dh_here here = DH_HERE;
    char *start = *rest;
    size_t size = dh_length(start) + 1;
    int result = REAL(getsubopt)(rest, names, value);
    if (!dh_checking()) return result;
    READS_BYTES(start, (size_t)(*rest - start) < size ? (size_t)(*rest - start) : size)
    if (*rest > start && (size_t)(*rest - start) < size) WRITES_BYTES(*rest - 1, 1)
    WRITES(rest)
    WRITES(value)
    return result;
}
