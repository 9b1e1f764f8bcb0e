/* More of strings: by the rules of a language, and as messages. */
#include "rt/intercept/table.h"

#include <string.h>

ROW(int, strcoll, (char const *a, char const *b), (a, b), READS_STRING(a) READS_STRING(b), )
ROW(int, strverscmp, (char const *a, char const *b), (a, b), READS_STRING(a) READS_STRING(b), )
ROW(size_t, strxfrm, (char *to, char const *from, size_t room), (to, from, room),
    READS_STRING(from), if (result < room) WRITES_BYTES(to, result + 1))

/* GNU's, which may return a text of its own, and the other. */
ROW(char *, strerror_r, (int error, char *to, size_t room), (error, to, room), ,
    if (result == to) WRITES_STRING(to))
ROW(int, __xpg_strerror_r, (int error, char *to, size_t room), (error, to, room), ,
    if (result == 0) WRITES_STRING(to))
