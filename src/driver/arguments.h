/* A command line with its @response files opened, so that it can be understood, and closed again,
 * so that it can be passed on as it came: response files are used where a command line would be too
 * long.
 */
#ifndef DEADHEAT_DRIVER_ARGUMENTS_H
#define DEADHEAT_DRIVER_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

struct dh_strings;

struct dh_argument {
    char const *text;
    char const
        *file;    /* the command line's "@file" that it came from, or null; one pointer a file */
    bool opened;  /* its file cannot stand for it: it was a pipe, or must be taken apart */
    bool removed; /* ours, not to be passed on */
};

/* items[0..count) are in order; those of one file are neighbours. */
struct dh_arguments {
    struct dh_argument *items;
    size_t count, capacity;
};

/* Reads `argv`, up to its null. As with clang: a file may name further files, an @name that is no
 * file is an argument like any other, and quotes and backslashes work as in GNU's response files.
 */
struct dh_arguments dh_arguments_open(char *const *argv);

/* Appends items[begin..end) for passing on: what was not removed, and files as their names where
 * they hold nothing that was removed or opened. */
void dh_arguments_close(struct dh_arguments const *arguments, size_t begin, size_t end,
                        struct dh_strings *into);

#endif
