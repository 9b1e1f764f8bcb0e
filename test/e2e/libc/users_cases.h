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

/* An entry in m.a, with the name in m.b. */
static void a_name(void) {
    ready("/dev/null");
    SET(b, "root");
    m.p[0] = m.b;
}
static void a_passwd(void) {
    a_name();
    *(struct passwd *)m.a = (struct passwd){m.b, "x", 0, 0, "", "/", "/"};
}
static void a_group(void) {
    a_name();
    *(struct group *)m.a = (struct group){m.b, "x", 0, m.p};
}
static void a_shadow(void) {
    a_name();
    *(struct spwd *)m.a = (struct spwd){.sp_namp = m.b, .sp_pwdp = "x"};
}

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
    X(fgetspent, ready("/dev/null"), KEEP(fgetspent(file)), NOTHING)                                   \
    X(fgetpwent_r, ready("/etc/passwd"), KEEP(fgetpwent_r(file, (void *)m.b, text, n(4096), (void *)m.c)), \
      W(b, 0, sizeof(struct passwd)), FOUND)                                                           \
    X(fgetgrent_r, ready("/etc/group"), KEEP(fgetgrent_r(file, (void *)m.b, text, n(4096), (void *)m.c)), \
      W(b, 0, sizeof(struct group)), FOUND)                                                            \
    X(fgetspent_r, ready("/dev/null"), KEEP(fgetspent_r(file, &shadow, text, n(4096), (void *)m.c)), FOUND) \
    X(putpwent, a_passwd(), \
      KEEP(putpwent((void *)m.a, file)), R(a, 0, sizeof(struct passwd)), R(b, 0, 5))                   \
    X(putgrent, a_group(), \
      KEEP(putgrent((void *)m.a, file)), R(a, 0, sizeof(struct group)), R(b, 0, 5), R(p, 0, 16))       \
    X(putspent, a_shadow(), \
      KEEP(putspent((void *)m.a, file)), R(a, 0, sizeof(struct spwd)), R(b, 0, 5))                     \
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
