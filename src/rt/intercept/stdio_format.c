/* printf, scanf and all their variants. Those with ... are what those with a va_list are. */
#include "rt/intercept/pairs.h"
#include "rt/intercept/stream.h"

#include <obstack.h>

#define STRING_OUT(to) WRITES_BYTES(to, (size_t)result + 1)
/* What fits, with its null. */
#define STRING_WITHIN(to, room)  \
    if (result >= 0 && room > 0) \
        dh_range_write(to, (size_t)result < room ? (size_t)result + 1 : room, here);
#define PRINTS READS_STRING(format) dh_printf_accesses(format, list, here);
#define SCANS dh_scanf_accesses(format, kept, result, here);

/* ---- printf ---- */

PAIR(printf, vprintf, (char const *format), (format, list), PRINTS PUTS(stdout), )
PAIR(fprintf, vfprintf, (FILE * f, char const *format), (f, format, list), PRINTS PUTS(f), )
PAIR(dprintf, vdprintf, (int fd, char const *format), (fd, format, list), PRINTS dh_fd_release(fd);
     , )
PAIR(sprintf, vsprintf, (char *to, char const *format), (to, format, list), PRINTS,
     if (result >= 0) STRING_OUT(to))
PAIR(snprintf, vsnprintf, (char *to, size_t room, char const *format), (to, room, format, list),
     PRINTS, STRING_WITHIN(to, room))
PAIR(asprintf, vasprintf, (char **to, char const *format), (to, format, list), PRINTS,
     if (result >= 0) WRITES(to))

/* What an object that grows has come to. */
#define GROWN                                               \
    if (result >= 0) {                                      \
        WRITES(&o->next_free)                               \
        WRITES_BYTES(o->next_free - result, (size_t)result) \
    }
PAIR(obstack_printf, obstack_vprintf, (struct obstack * o, char const *format), (o, format, list),
     PRINTS, GROWN)
PAIR(__obstack_printf_chk, __obstack_vprintf_chk,
     (struct obstack * o, int flag, char const *format), (o, flag, format, list), PRINTS, GROWN)

/* ---- scanf, by the names that C99 and later programs use ---- */

#define SCANF(name, vname)                                                                    \
    PAIR(name, vname, (char const *format), (format, list), READS_STRING(format) USES(stdin), \
         GETS(stdin) SCANS)
#define FSCANF(name, vname)                                              \
    PAIR(name, vname, (FILE * f, char const *format), (f, format, list), \
         READS_STRING(format) USES(f), GETS(f) SCANS)
#define SSCANF(name, vname)                                                   \
    PAIR(name, vname, (char const *s, char const *format), (s, format, list), \
         READS_STRING(format) READS_STRING(s), SCANS)
SCANF(scanf, vscanf)
SCANF(__isoc99_scanf, __isoc99_vscanf)
FSCANF(fscanf, vfscanf)
FSCANF(__isoc99_fscanf, __isoc99_vfscanf)
SSCANF(sscanf, vsscanf)
SSCANF(__isoc99_sscanf, __isoc99_vsscanf)

/* ---- with _FORTIFY_SOURCE: the real ones abort if `room` is too small ---- */

PAIR(__printf_chk, __vprintf_chk, (int flag, char const *format), (flag, format, list),
     PRINTS PUTS(stdout), )
PAIR(__fprintf_chk, __vfprintf_chk, (FILE * f, int flag, char const *format),
     (f, flag, format, list), PRINTS PUTS(f), )
PAIR(__dprintf_chk, __vdprintf_chk, (int fd, int flag, char const *format),
     (fd, flag, format, list), PRINTS dh_fd_release(fd);
     , )
PAIR(__sprintf_chk, __vsprintf_chk, (char *to, int flag, size_t room, char const *format),
     (to, flag, room, format, list), PRINTS, if (result >= 0) STRING_OUT(to))
PAIR(__snprintf_chk, __vsnprintf_chk,
     (char *to, size_t size, int flag, size_t room, char const *format),
     (to, size, flag, room, format, list), PRINTS, STRING_WITHIN(to, size))
PAIR(__asprintf_chk, __vasprintf_chk, (char **to, int flag, char const *format),
     (to, flag, format, list), PRINTS, if (result >= 0) WRITES(to))
