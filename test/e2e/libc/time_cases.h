/* Time. */
#include "spans.h"

#include <sys/time.h>
#include <time.h>

#define T ((time_t *)m.a)
#define SPEC ((struct timespec *)m.a)
#define TM ((struct tm *)m.b)
#define A_TM (*TM = (struct tm){.tm_year = 100, .tm_mday = 1})
#define SIZE_TM sizeof(struct tm)
#define CASES(X)                                                                                        \
    X(time, , KEEP(time(T)), W(a, 0, 8))                                                                \
    X(gettimeofday, , KEEP(gettimeofday((void *)m.a, NULL)), W(a, 0, 16))                               \
    X(clock_gettime, , KEEP(clock_gettime(CLOCK_MONOTONIC, SPEC)), W(a, 0, 16))                         \
    X(clock_getres, , KEEP(clock_getres(CLOCK_MONOTONIC, SPEC)), W(a, 0, 16))                           \
    X(timespec_get, , KEEP(timespec_get(SPEC, TIME_UTC)), W(a, 0, 16))                                  \
    X(nanosleep, SPEC->tv_nsec = 1, KEEP(nanosleep(SPEC, NULL)), R(a, 0, 16))                           \
    X(localtime_r, *T = 1, KEEP(localtime_r(T, TM)), R(a, 0, 8), W(b, 0, SIZE_TM))                      \
    X(gmtime_r, *T = 1, KEEP(gmtime_r(T, TM)), R(a, 0, 8), W(b, 0, SIZE_TM))                            \
    X(localtime, *T = 1, KEEP(localtime(T)), R(a, 0, 8))                                                \
    X(asctime_r, A_TM, KEEP(asctime_r(TM, m.a)), R(b, 0, SIZE_TM), W(a, 0, 26))                         \
    X(ctime_r, *T = 1, KEEP(ctime_r(T, m.b)), R(a, 0, 8), W(b, 0, 26))                                  \
    X(mktime, A_TM, KEEP(mktime(TM)), W(b, 0, SIZE_TM))                                                 \
    X(timegm, A_TM, KEEP(timegm(TM)), W(b, 0, SIZE_TM))                                                 \
    X(strftime, A_TM; SET(c, "%Y-"), KEEP(strftime(m.a, n(20), m.c, TM)), R(b, 0, SIZE_TM), R(c, 0, 4), \
      W(a, 0, 6))                                                                                       \
    X(strptime, SET(a, "2001"); SET(c, "%Y"), KEEP(strptime(m.a, m.c, TM)), R(a, 0, 5), R(c, 0, 3),     \
      W(b, 0, SIZE_TM))

RUN_CASES()
