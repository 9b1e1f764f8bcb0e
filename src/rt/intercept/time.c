/* Time. Some of these return memory of libc's that the next call overwrites, of whichever thread:
 * that is a write to it. */
#include "rt/intercept/table.h"

#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

ROW(time_t, time, (time_t * t), (t), , WRITES(t))
ROW(int, gettimeofday, (struct timeval * t, void *zone), (t, zone), , WRITES(t))
ROW(int, clock_gettime, (clockid_t clock, struct timespec *t), (clock, t), ,
    if (result == 0) WRITES(t))
ROW(int, clock_getres, (clockid_t clock, struct timespec *t), (clock, t), ,
    if (result == 0) WRITES(t))
ROW(int, clock_settime, (clockid_t clock, struct timespec const *t), (clock, t), READS(t), )
ROW(int, timespec_get, (struct timespec * t, int base), (t, base), , if (result) WRITES(t))
ROW(int, timespec_getres, (struct timespec * t, int base), (t, base), , if (result) WRITES(t))
ROW(clock_t, times, (struct tms * t), (t), , WRITES(t))
ROW(int, nanosleep, (struct timespec const *time, struct timespec *left), (time, left), READS(time),
    if (result != 0) WRITES(left))
ROW(int, clock_nanosleep,
    (clockid_t clock, int flags, struct timespec const *time, struct timespec *left),
    (clock, flags, time, left), READS(time), )
/* These ask the environment for the zone, each time. */
extern char **environ;
#define LOOKS_FOR_TZ READS(&environ)

ROW(struct tm *, localtime_r, (time_t const *t, struct tm *to), (t, to), READS(t), WRITES(result))
ROW(struct tm *, gmtime_r, (time_t const *t, struct tm *to), (t, to), READS(t), WRITES(result))
ROW(struct tm *, localtime, (time_t const *t), (t), READS(t) LOOKS_FOR_TZ, WRITES(result))
ROW(struct tm *, gmtime, (time_t const *t), (t), READS(t), WRITES(result))
ROW(char *, asctime_r, (struct tm const *t, char *to), (t, to), READS(t), WRITES_STRING(result))
ROW(char *, asctime, (struct tm const *t), (t), READS(t), WRITES_STRING(result))
ROW(char *, ctime_r, (time_t const *t, char *to), (t, to), READS(t), WRITES_STRING(result))
ROW(char *, ctime, (time_t const *t), (t), READS(t) LOOKS_FOR_TZ, WRITES_STRING(result))
ROW(time_t, mktime, (struct tm * t), (t), READS(t) LOOKS_FOR_TZ, WRITES(t))
ROW_VOID(tzset, (void), (), LOOKS_FOR_TZ, )
ROW(time_t, timegm, (struct tm * t), (t), READS(t), WRITES(t))
ROW(size_t, strftime, (char *to, size_t room, char const *format, struct tm const *t),
    (to, room, format, t), READS_STRING(format) READS(t), if (result) WRITES_BYTES(to, result + 1))
ROW(char *, strptime, (char const *s, char const *format, struct tm *t), (s, format, t),
    READS_STRING(s) READS_STRING(format), if (result) WRITES(t))
/* Also says in one place for all what was wrong. */
ROW(int, getdate_r, (char const *s, struct tm *to), (s, to), READS_STRING(s),
    if (result == 0) WRITES(to))
ROW(struct tm *, getdate, (char const *s), (s), READS_STRING(s) WRITES(&getdate_err),
    WRITES(result))
ROW(int, settimeofday, (struct timeval const *t, struct timezone const *zone), (t, zone),
    READS(t) READS(zone), )
ROW(int, adjtime, (struct timeval const *by, struct timeval *left), (by, left), READS(by),
    if (result == 0) WRITES(left))
