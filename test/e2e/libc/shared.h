/* What all threads share inside libc: variables that are the program's to see, results that the next call
 * overwrites, and where something stands.
 *   X(name, a call, another call)
 * where the two are not to be made at once. What they return is kept, so that no call is the last thing that a
 * function does: it would not be known by its place. */
#ifndef DEADHEAT_TEST_SHARED_H
#define DEADHEAT_TEST_SHARED_H

#include "access/cases.h"

#include <dirent.h>
#include <getopt.h>
#include <grp.h>
#include <iconv.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <netdb.h>
#include <pwd.h>
#include <search.h>
#include <shadow.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static time_t moments[2] = {1, 2};
static __thread void *volatile kept;
#define KEEP(e) (kept = (void *)(size_t)(e))

static char one[] = "a,b", two[] = "c,d";
static char *arguments[] = {"command", "-a", "b", NULL}, *arguments_too[] = {"command", "-b", "c", NULL};
static struct option const names[] = {{"all", 0, NULL, 'a'}, {0}};
static int points[2], signs[2];
static __thread double volatile number = 1.5;
static DIR *directory, *closing;
static iconv_t way;
static locale_t locale;
static wchar_t wide[2];

static inline void convert(char *text) {
    char to[8], *out = to;
    size_t left = 1, room = sizeof to;
    iconv(way, &text, &left, &out, &room);
}

#define SHARED(X)                                                                                       \
    X(environment, CHECK(setenv("DEADHEAT_TEST", "1", 1) == 0), KEEP(getenv("DEADHEAT_TEST")))          \
    X(clearenv, clearenv(), KEEP(getenv("DEADHEAT_TEST")))                                              \
    X(zone, CHECK(setenv("TZ", "UTC", 1) == 0), tzset())                                                \
    X(localtime, KEEP(localtime(&moments[0])), KEEP(localtime(&moments[1])))                            \
    X(gmtime, KEEP(gmtime(&moments[0])), KEEP(gmtime(&moments[1])))                                     \
    X(ctime, KEEP(ctime(&moments[0])), KEEP(ctime(&moments[1])))                                        \
    X(strtok, KEEP(strtok(one, ",")), KEEP(strtok(two, ",")))                                           \
    X(setlocale, KEEP(setlocale(LC_ALL, "C")), KEEP(nl_langinfo(CODESET)))                              \
    X(setlocale_coll, KEEP(setlocale(LC_COLLATE, "C")), KEEP(strcoll("a", "b")))                        \
    X(localeconv, KEEP(localeconv()), KEEP(localeconv()))                                               \
    X(freelocale, KEEP(nl_langinfo_l(CODESET, locale)), freelocale(locale))                             \
    X(getopt, KEEP(getopt(3, arguments, "ab")), KEEP(getopt(3, arguments_too, "ab")))                               \
    X(getopt_long, KEEP(getopt_long(3, arguments, "ab", names, NULL)),                                 \
      KEEP(getopt_long(3, arguments_too, "ab", names, NULL)))                                          \
    X(getopt_long_only, KEEP(getopt_long_only(3, arguments, "ab", names, NULL)),                              \
      KEEP(getopt_long_only(3, arguments_too, "ab", names, NULL)))                                            \
    X(getpwnam, KEEP(getpwnam("root")), KEEP(getpwnam("root")))                                              \
    X(getgrgid, KEEP(getgrgid(0)), KEEP(getgrgid(0)))                                              \
    X(getpwent, KEEP(getpwent()), setpwent())                                                           \
    X(getgrent, KEEP(getgrent()), endgrent())                                                           \
    X(getspent, KEEP(getspent()), endspent())                                                           \
    X(gethostbyname, KEEP(gethostbyname("127.0.0.1")), KEEP(gethostbyname("127.0.0.2")))                \
    X(gethostent, KEEP(gethostent()), sethostent(1); endhostent())                                      \
    X(getservent, KEEP(getservent()), setservent(1); endservent())                                      \
    X(getprotoent, KEEP(getprotoent()), setprotoent(1); endprotoent())                                  \
    X(getnetent, KEEP(getnetent()), setnetent(1); endnetent())                                          \
    X(drand48, number = drand48(), KEEP(lrand48()))                                                     \
    X(srand48, srand48(1), KEEP(nrand48((unsigned short[3]){0})))                                       \
    X(l64a, KEEP(l64a(1)), KEEP(l64a(2)))                                                               \
    X(ecvt, KEEP(ecvt(1.5, 3, &points[0], &signs[0])), KEEP(ecvt(2.5, 3, &points[1], &signs[1])))       \
    X(tmpnam, KEEP(tmpnam(NULL)), KEEP(tmpnam(NULL)))                                                   \
    X(hsearch, KEEP(hsearch((ENTRY){one, NULL}, ENTER)), KEEP(hsearch((ENTRY){two, NULL}, FIND)))       \
    X(mbtowc, KEEP(mbtowc(&wide[0], "a", 1)), KEEP(mbtowc(&wide[1], "b", 1)))                           \
    X(mbrtowc, KEEP(mbrtowc(&wide[0], "a", 1, NULL)), KEEP(mbrtowc(&wide[1], "b", 1, NULL)))            \
    X(iconv, convert("a"), convert("b"))                                                                \
    X(lgamma, number = lgamma(number), KEEP(signgam))                                                   \
    X(readdir,                                                                                         \
      KEEP(readdir(directory)), rewinddir(directory); KEEP(readdir64(directory)))                      \
    X(closedir, KEEP(telldir(closing)), closedir(closing))

#define DEFINE(name, call, other_call)                                                                  \
    static void first_##name(void) { call; }                                                            \
    static void second_##name(void) { other_call; }
SHARED(DEFINE)
#define LIST(name, call, other_call) {#name, first_##name, second_##name},
static struct case_pair const pairs[] = {SHARED(LIST)};

static inline void prepare(void) {
    CHECK((directory = opendir("/dev")) && (closing = opendir("/dev")));
    CHECK((way = iconv_open("UTF-16LE", "UTF-8")) != (iconv_t)-1);
    CHECK((locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0)) || (locale = duplocale(LC_GLOBAL_LOCALE)));
    CHECK(hcreate(9));
}

#endif
