/* Time. */
#include "spans.h"

#include <signal.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

static timer_t timer;
static void a_timer(void) { CHECK(timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0); }

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
      W(b, 0, SIZE_TM))                                                                                \
    X(gmtime, *T = 1, KEEP(gmtime(T)), R(a, 0, 8))                                                     \
    X(asctime, A_TM, KEEP(asctime(TM)), R(b, 0, SIZE_TM))                                              \
    X(ctime, *T = 1, KEEP(ctime(T)), R(a, 0, 8))                                                       \
    X(times, , KEEP(times((void *)m.a)), W(a, 0, 32))                                                  \
    X(timespec_getres, , KEEP(timespec_getres(SPEC, TIME_UTC)), W(a, 0, 16))                           \
    X(clock_nanosleep, SPEC->tv_nsec = 1, KEEP(clock_nanosleep(CLOCK_MONOTONIC, 0, SPEC, NULL)), R(a, 0, 16)) \
    X(clock_settime, SPEC->tv_nsec = -1, KEEP(clock_settime(CLOCK_MONOTONIC, SPEC)), R(a, 0, 16))      \
    X(settimeofday, ((struct timeval *)m.a)->tv_usec = -1, KEEP(settimeofday((void *)m.a, NULL)), R(a, 0, 16)) \
    X(adjtime, , KEEP(adjtime(NULL, (void *)m.a)), W(a, 0, 16))                                        \
    X(tzset, , tzset(), NOTHING)                                                                       \
    X(getdate_r, setenv("DATEMSK", "/no/such", 1); SET(a, "x"), KEEP(getdate_r(m.a, TM)), R(a, 0, 2))  \
    X(getdate, setenv("DATEMSK", "/no/such", 1); SET(a, "x"), KEEP(getdate(m.a)), R(a, 0, 2))          \
    X(getitimer, , KEEP(getitimer(ITIMER_REAL, (void *)m.a)), W(a, 0, 32))                             \
    X(setitimer, , KEEP(setitimer(ITIMER_REAL, (void *)m.a, (void *)m.b)), R(a, 0, 32), W(b, 0, 32))   \
    X(alarm, , KEEP(alarm(0)), NOTHING)                                                                \
    X(timer_create, , KEEP(timer_create(CLOCK_MONOTONIC, NULL, (void *)m.a)), W(a, 0, 8))              \
    X(timer_settime, a_timer(), KEEP(timer_settime(timer, 0, (void *)m.a, (void *)m.b)), R(a, 0, 32), W(b, 0, 32)) \
    X(timer_gettime, a_timer(), KEEP(timer_gettime(timer, (void *)m.a)), W(a, 0, 32))

RUN_CASES()
