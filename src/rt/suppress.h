/* Races that the user does not want to see: the file of option `suppressions`, in ThreadSanitizer's
 * syntax. A line is `kind:pattern`; `#` begins a comment line. A pattern matches anywhere in a
 * text; `*` is any text, `^` at its start and `$` at its end tie it to the ends.
 *
 *   race:             a function, file or module of any frame of either side, the variable, or the
 *                     field that either accesses, as reports name it
 *   race_top:         the same of the innermost frame of either side
 *   called_from_lib:  a module: what libc accesses on its behalf is not looked at (rt/called_from.h)
 *   thread: mutex: signal: deadlock:   accepted, so that files can be shared; nothing here is of
 * those kinds
 */
#ifndef DEADHEAT_RT_SUPPRESS_H
#define DEADHEAT_RT_SUPPRESS_H

#include "report/race.h"
#include "rt/arena.h"

enum dh_suppression_kind {
    DH_SUPPRESS_RACE,
    DH_SUPPRESS_TOP,
    DH_SUPPRESS_LIBRARY,
    DH_SUPPRESS_NOTHING
};

struct dh_suppression {
    enum dh_suppression_kind kind;
    char const *from;    /* the file */
    char const *text;    /* the line */
    char const *pattern; /* in it */
    uint32_t line;
    uint64_t count; /* occurrences, for whoever counts */
    struct dh_suppression *next;
};

/* Parses; `text` is kept and cut up in place. 0, or the number of the first bad line, with what is
 * wrong. */
uint32_t dh_suppress_parse(char *text, struct dh_arena *arena, struct dh_suppression **list,
                           char const **wrong);

/* Reads the file. A file that cannot be read or parsed gets one message and counts as empty. */
struct dh_suppression *dh_suppress_load(char const *path, struct dh_arena *arena);
/* The same for a text that the program brings along; `from` says where it is from. */
struct dh_suppression *dh_suppress_text(char const *from, char const *text, struct dh_arena *arena);

bool dh_suppress_match(char const *pattern, char const *text);

/* The first suppression of the race, or null. */
struct dh_suppression *dh_suppress_find(struct dh_suppression *list, struct dh_race const *race);

#endif
