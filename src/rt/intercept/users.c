/* Users and groups. What the older functions return is overwritten by the next call, of whichever
 * thread; where one stands that goes through all of them is one place for all. */
#include "rt/intercept/stream.h"
#include "rt/intercept/table.h"

#include <grp.h>
#include <pwd.h>
#include <shadow.h>
#include <unistd.h>

static void texts_written(char *const *texts, int count, struct dh_here here) {
    for (int i = 0; i < count; i++)
        WRITES_STRING(texts[i])
}

static void passwd_written(struct passwd *p, struct dh_here here) {
    if (!p) return;
    char *texts[] = {p->pw_name, p->pw_passwd, p->pw_gecos, p->pw_dir, p->pw_shell};
    WRITES(p)
    texts_written(texts, 5, here);
}

static void group_written(struct group *g, struct dh_here here) {
    if (!g) return;
    char *texts[] = {g->gr_name, g->gr_passwd};
    int members = 0;
    WRITES(g)
    texts_written(texts, 2, here);
    while (g->gr_mem[members])
        members++;
    texts_written(g->gr_mem, members, here);
    WRITES_BYTES(g->gr_mem, (size_t)(members + 1) * sizeof *g->gr_mem)
}

static void shadow_written(struct spwd *s, struct dh_here here) {
    if (!s) return;
    char *texts[] = {s->sp_namp, s->sp_pwdp};
    WRITES(s)
    texts_written(texts, 2, here);
}

/* ---- one of them ---- */

#define FIND(type, name, parameters, arguments, before, written) \
    ROW(struct type *, name, parameters, arguments, before, written(result, here);)
FIND(passwd, getpwnam, (char const *name), (name), READS_STRING(name), passwd_written)
FIND(passwd, getpwuid, (uid_t id), (id), , passwd_written)
FIND(group, getgrnam, (char const *name), (name), READS_STRING(name), group_written)
FIND(group, getgrgid, (gid_t id), (id), , group_written)
FIND(spwd, getspnam, (char const *name), (name), READS_STRING(name), shadow_written)

/* Into memory of the program's. Of the buffer those bytes count that something points at. */
#define FIND_INTO(type, name, key, argument, before, written)                          \
    ROW(int, name, (key, struct type * to, char *p, size_t room, struct type **found), \
        (argument, to, p, room, found), before,                                        \
        WRITES(found) if (result == 0 && *found) written(to, here);)
FIND_INTO(passwd, getpwnam_r, char const *name, name, READS_STRING(name), passwd_written)
FIND_INTO(passwd, getpwuid_r, uid_t id, id, , passwd_written)
FIND_INTO(group, getgrnam_r, char const *name, name, READS_STRING(name), group_written)
FIND_INTO(group, getgrgid_r, gid_t id, id, , group_written)
FIND_INTO(spwd, getspnam_r, char const *name, name, READS_STRING(name), shadow_written)

/* ---- all of them, one after the other ---- */

static char at_passwd, at_group, at_shadow;

#define EACH(type, next, first, last, at, written)                            \
    ROW(struct type *, next, (void), (), WRITES(&at), written(result, here);) \
    ROW_VOID(first, (void), (), WRITES(&at), )                                \
    ROW_VOID(last, (void), (), WRITES(&at), )
EACH(passwd, getpwent, setpwent, endpwent, at_passwd, passwd_written)
EACH(group, getgrent, setgrent, endgrent, at_group, group_written)
EACH(spwd, getspent, setspent, endspent, at_shadow, shadow_written)

#define EACH_INTO(type, name, at, written)                                        \
    ROW(int, name, (struct type * to, char *p, size_t room, struct type **found), \
        (to, p, room, found), WRITES(&at), WRITES(found) if (result == 0) written(to, here);)
EACH_INTO(passwd, getpwent_r, at_passwd, passwd_written)
EACH_INTO(group, getgrent_r, at_group, group_written)
EACH_INTO(spwd, getspent_r, at_shadow, shadow_written)

#define EACH_OF(type, name, written) \
    ROW(struct type *, name, (FILE * f), (f), USES(f), GETS(f) written(result, here);)
EACH_OF(passwd, fgetpwent, passwd_written)
EACH_OF(group, fgetgrent, group_written)
EACH_OF(spwd, fgetspent, shadow_written)

#define EACH_OF_INTO(type, name, written)                                                   \
    ROW(int, name, (FILE * f, struct type * to, char *p, size_t room, struct type **found), \
        (f, to, p, room, found), USES(f),                                                   \
        GETS(f) WRITES(found) if (result == 0) written(to, here);)
EACH_OF_INTO(passwd, fgetpwent_r, passwd_written)
EACH_OF_INTO(group, fgetgrent_r, group_written)
EACH_OF_INTO(spwd, fgetspent_r, shadow_written)

static void members_read(char *const *list, struct dh_here here) {
    size_t count = 0;
    if (!list) return;
    for (; list[count]; count++)
        READS_STRING(list[count])
    READS_BYTES(list, (count + 1) * sizeof *list)
}
ROW(int, putpwent, (struct passwd const *p, FILE *f), (p, f),
    READS(p) READS_STRING(p->pw_name) READS_STRING(p->pw_passwd) READS_STRING(p->pw_gecos)
        READS_STRING(p->pw_dir) READS_STRING(p->pw_shell) PUTS(f), )
ROW(int, putgrent, (struct group const *g, FILE *f), (g, f),
    READS(g) READS_STRING(g->gr_name) READS_STRING(g->gr_passwd) members_read(g->gr_mem, here);
    PUTS(f), )
ROW(int, putspent, (struct spwd const *s, FILE *f), (s, f),
    READS(s) READS_STRING(s->sp_namp) READS_STRING(s->sp_pwdp) PUTS(f), )

/* ---- who one is ---- */

ROW(int, getgrouplist, (char const *user, gid_t group, gid_t *to, int *count),
    (user, group, to, count), READS_STRING(user),
    WRITES(count) if (result > 0) WRITES_BYTES(to, (size_t)result * sizeof *to))
ROW(int, initgroups, (char const *user, gid_t group), (user, group), READS_STRING(user), )
ROW(int, getgroups, (int room, gid_t *to), (room, to), ,
    if (result > 0 && room > 0) WRITES_BYTES(to, (size_t)result * sizeof *to))
ROW(int, setgroups, (size_t count, gid_t const *from), (count, from),
    READS_BYTES(from, count * sizeof *from), )
ROW(int, getresuid, (uid_t * real, uid_t *effective, uid_t *saved), (real, effective, saved), ,
    if (result == 0){WRITES(real) WRITES(effective) WRITES(saved)})
ROW(int, getresgid, (gid_t * real, gid_t *effective, gid_t *saved), (real, effective, saved), ,
    if (result == 0){WRITES(real) WRITES(effective) WRITES(saved)})
ROW(char *, getlogin, (void), (), , WRITES_STRING(result))
ROW(int, getlogin_r, (char *to, size_t room), (to, room), , if (result == 0) WRITES_STRING(to))

/* ---- with _FORTIFY_SOURCE: the real ones abort if `limit` is too small ---- */

ROW(int, __getgroups_chk, (int room, gid_t *to, size_t limit), (room, to, limit), ,
    if (result > 0 && room > 0) WRITES_BYTES(to, (size_t)result * sizeof *to))
ROW(int, __getlogin_r_chk, (char *to, size_t room, size_t limit), (to, room, limit), ,
    if (result == 0) WRITES_STRING(to))
