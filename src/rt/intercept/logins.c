/* Who is logged in. Where one stands that goes through all of them is one place for all, and what
 * the older functions return is overwritten by the next call, of whichever thread. */
#include "rt/intercept/table.h"

#include <utmp.h>
#include <utmpx.h>

static char at;

/* An id is looked at where the entry is of a process. */
#define READS_KIND(w)    \
    READS(&(w)->ut_type) \
    if ((w)->ut_type >= INIT_PROCESS && (w)->ut_type <= DEAD_PROCESS) READS(&(w)->ut_id)

#define EACH(type, first, next, last, by_id, by_line, put)             \
    ROW_VOID(first, (void), (), WRITES(&at), )                         \
    ROW_VOID(last, (void), (), WRITES(&at), )                          \
    ROW(struct type *, next, (void), (), WRITES(&at), WRITES(result))  \
    ROW(struct type *, by_id, (struct type const *wanted), (wanted),   \
        READS_KIND(wanted) WRITES(&at), WRITES(result))                \
    ROW(struct type *, by_line, (struct type const *wanted), (wanted), \
        READS(&wanted->ut_line) WRITES(&at), WRITES(result))           \
    ROW(struct type *, put, (struct type const *from), (from), READS(from) WRITES(&at), )
EACH(utmp, setutent, getutent, endutent, getutid, getutline, pututline)
EACH(utmpx, setutxent, getutxent, endutxent, getutxid, getutxline, pututxline)

#define INTO WRITES(found) if (result == 0) WRITES(to)
ROW(int, getutent_r, (struct utmp * to, struct utmp **found), (to, found), WRITES(&at), INTO)
ROW(int, getutid_r, (struct utmp const *wanted, struct utmp *to, struct utmp **found),
    (wanted, to, found), READS_KIND(wanted) WRITES(&at), INTO)
ROW(int, getutline_r, (struct utmp const *wanted, struct utmp *to, struct utmp **found),
    (wanted, to, found), READS(&wanted->ut_line) WRITES(&at), INTO)
ROW(int, utmpname, (char const *path), (path), READS_STRING(path) WRITES(&at), )
ROW(int, utmpxname, (char const *path), (path), READS_STRING(path) WRITES(&at), )
ROW_VOID(updwtmp, (char const *path, struct utmp const *from), (path, from),
         READS_STRING(path) READS(from), )
