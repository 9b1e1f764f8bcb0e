/* Patterns: regular expressions, and those of the shell. What libc allocates for their results it
 * frees itself: the end of those blocks is counted here. */
#include "rt/intercept/table.h"

#include <fnmatch.h>
#include <glob.h>
#include <regex.h>
#include <wordexp.h>

/* ---- regular expressions: a compiled one has a lock of its own for who searches with it ---- */

ROW(int, regcomp, (regex_t * to, char const *pattern, int flags), (to, pattern, flags),
    READS_STRING(pattern), WRITES(to))

static void searched(regex_t const *pattern, char const *s, regmatch_t const *found, int flags,
                     struct dh_here here) {
    READS(pattern)
    if (!(flags & REG_STARTEND)) {
        READS_STRING(s)
        return;
    }
    READS(found)
    READS_BYTES(s + found->rm_so, (size_t)(found->rm_eo - found->rm_so))
}
ROW(int, regexec,
    (regex_t const *pattern, char const *s, size_t count, regmatch_t *found, int flags),
    (pattern, s, count, found, flags), searched(pattern, s, found, flags, here);
    , if (result == 0 && !pattern->no_sub) WRITES_BYTES(found, count * sizeof *found))
ROW(size_t, regerror, (int error, regex_t const *pattern, char *to, size_t room),
    (error, pattern, to, room), READS(pattern),
    if (room) WRITES_BYTES(to, result < room ? result : room))
ROW_VOID(regfree, (regex_t * pattern), (pattern), WRITES(pattern), )

/* ---- names of files ---- */

ROW(int, fnmatch, (char const *pattern, char const *s, int flags), (pattern, s, flags),
    READS_STRING(pattern) READS_STRING(s), )

static void words_end(char **list, size_t skip, size_t count, struct dh_here here) {
    for (size_t i = skip; list && i < skip + count; i++)
        WRITES_STRING(list[i])
    WRITES_BYTES(list, (skip + count + 1) * sizeof *list)
}

typedef int (*on_error)(char const *path, int error);
#define GLOB(name, free_name)                                                                     \
    ROW(int, name, (char const *pattern, int flags, on_error f, glob_t *to),                      \
        (pattern, flags, f, to), READS_STRING(pattern),                                           \
        WRITES(&to->gl_pathc) WRITES(&to->gl_pathv)                                               \
            WRITES(&to->gl_flags) if (!(flags & GLOB_DOOFFS)) WRITES(&to->gl_offs))               \
    ROW_VOID(free_name, (glob_t * g), (g), words_end(g->gl_pathv, g->gl_offs, g->gl_pathc, here); \
             WRITES(&g->gl_pathv), )
GLOB(glob, globfree)
GLOB(glob64, globfree64)

ROW(int, wordexp, (char const *words, wordexp_t *to, int flags), (words, to, flags),
    READS_STRING(words),
    WRITES(&to->we_wordc) WRITES(&to->we_wordv) if (!(flags & WRDE_DOOFFS)) WRITES(&to->we_offs))
ROW_VOID(wordfree, (wordexp_t * w), (w), words_end(w->we_wordv, w->we_offs, w->we_wordc, here);
         WRITES(&w->we_wordv), )
