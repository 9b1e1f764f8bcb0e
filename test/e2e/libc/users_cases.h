/* Users and groups. */
#include "spans.h"

#include <grp.h>
#include <pwd.h>
#include <shadow.h>

static char text[4096]; /* what the entries point at is somewhere in here */
static struct spwd shadow;
static FILE *file;
static void ready(char const *path) { CHECK((file = fopen(path, "r"))); }
#define FOUND W(c, 0, 8)

#define CASES(X)                                                                                       \
    X(getpwnam, SET(a, "root"), KEEP(getpwnam(m.a)), R(a, 0, 5))                                       \
    X(getpwnam_r, SET(a, "root"), KEEP(getpwnam_r(m.a, (void *)m.b, text, n(4096), (void *)m.c)), R(a, 0, 5), \
      W(b, 0, sizeof(struct passwd)), FOUND)                                                           \
    X(getgrnam, SET(a, "root"), KEEP(getgrnam(m.a)), R(a, 0, 5))                                       \
    X(getgrnam_r, SET(a, "root"), KEEP(getgrnam_r(m.a, (void *)m.b, text, n(4096), (void *)m.c)), R(a, 0, 5), \
      W(b, 0, sizeof(struct group)), FOUND)                                                            \
    X(getpwuid, , KEEP(getpwuid(0)), NOTHING)                                                          \
    X(getpwuid_r, , KEEP(getpwuid_r(0, (void *)m.b, text, n(4096), (void *)m.c)), W(b, 0, sizeof(struct passwd)), \
      FOUND)                                                                                           \
    X(getgrgid, , KEEP(getgrgid(0)), NOTHING)                                                          \
    X(getgrgid_r, , KEEP(getgrgid_r(0, (void *)m.b, text, n(4096), (void *)m.c)), W(b, 0, sizeof(struct group)), \
      FOUND)                                                                                           \
    X(getspnam, SET(a, "no-such"), KEEP(getspnam(m.a)), R(a, 0, 8))                                    \
    X(getspnam_r, SET(a, "no-such"), KEEP(getspnam_r(m.a, (void *)m.b, text, n(4096), (void *)m.c)), R(a, 0, 8), \
      FOUND)                                                                                           \
    X(getpwent, setpwent(), KEEP(getpwent()), NOTHING)                                                 \
    X(getpwent_r, setpwent(), KEEP(getpwent_r((void *)m.b, text, n(4096), (void *)m.c)); endpwent(),   \
      W(b, 0, sizeof(struct passwd)), FOUND)                                                           \
    X(getgrent, setgrent(), KEEP(getgrent()), NOTHING)                                                 \
    X(getgrent_r, setgrent(), KEEP(getgrent_r((void *)m.b, text, n(4096), (void *)m.c)); endgrent(),   \
      W(b, 0, sizeof(struct group)), FOUND)                                                            \
    X(getspent, setspent(), KEEP(getspent()); endspent(), NOTHING)                                     \
    X(getspent_r, setspent(), KEEP(getspent_r(&shadow, text, n(4096), (void *)m.c)); endspent(), FOUND) \
    X(fgetpwent, ready("/etc/passwd"), KEEP(fgetpwent(file)), NOTHING)                                 \
    X(fgetgrent, ready("/etc/group"), KEEP(fgetgrent(file)), NOTHING)                                  \
    X(getgrouplist, SET(a, "no-such"); *(int *)m.c = 4, KEEP(getgrouplist(m.a, 7, (void *)m.b, (void *)m.c)), \
      R(a, 0, 8), W(b, 0, 4), W(c, 0, 4))                                                              \
    X(initgroups, SET(a, "no-such"), KEEP(initgroups(m.a, getgid())), R(a, 0, 8))                      \
    X(setgroups, , KEEP(setgroups(1, (void *)m.a)), R(a, 0, 4))                                        \
    X(getgroups, , KEEP(getgroups(0, (void *)m.a)), NOTHING)                                           \
    X(getresuid, , KEEP(getresuid((void *)m.a, (void *)m.b, (void *)m.c)), W(a, 0, 4), W(b, 0, 4), W(c, 0, 4)) \
    X(getresgid, , KEEP(getresgid((void *)m.a, (void *)m.b, (void *)m.c)), W(a, 0, 4), W(b, 0, 4), W(c, 0, 4)) \
    X(getlogin, , KEEP(getlogin()), NOTHING)                                                           \
    X(getlogin_r, , KEEP(getlogin_r(text, n(100))), NOTHING)

RUN_CASES()
