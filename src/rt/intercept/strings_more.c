/* More of strings: versions, parts of paths, messages of errors. */
#include "rt/intercept/table.h"

#include <string.h>

ROW(int, strverscmp, (char const *a, char const *b), (a, b), READS_STRING(a) READS_STRING(b), )

/* GNU's, which may return a text of its own, and the other. */
ROW(char *, strerror_r, (int error, char *to, size_t room), (error, to, room), ,
    if (result == to) WRITES_STRING(to))
ROW(int, __xpg_strerror_r, (int error, char *to, size_t room), (error, to, room), ,
    if (result == 0) WRITES_STRING(to))

/* ---- paths: POSIX's functions cut the string that they are given, if there is anything to cut
 * ---- */

/* Reads all, and writes a null where what is returned ends, unless the string ended there. */
#define CUT(name)                                                                   \
    INTERCEPT(char *, name, (char *path)) {                                         \
        struct dh_here here = DH_HERE;                                              \
        size_t before = path ? dh_length(path) : 0;                                 \
        char *result = REAL(name)(path);                                            \
        if (!path || !dh_checking()) return result;                                 \
        READS_BYTES(path, before + 1)                                               \
        bool inside = result >= path && result <= path + before;                    \
        size_t end = inside ? (size_t)(result - path) + dh_length(result) : before; \
        if (end < before) WRITES_BYTES(path + end, 1)                               \
        return result;                                                              \
    }
CUT(dirname)
CUT(__xpg_basename)
/* GNU's does not. */
ROW(char *, basename, (char const *path), (path), READS_STRING(path), )
