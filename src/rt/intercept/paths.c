/* Files by their names, and what is said of them; directories. */
#include "rt/intercept/table.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

/* ---- one name ---- */

#define NAME_ONLY(name, rest, arguments) ROW(int, name, rest, arguments, READS_STRING(path), )
NAME_ONLY(access, (char const *path, int mode), (path, mode))
NAME_ONLY(faccessat, (int at, char const *path, int mode, int flags), (at, path, mode, flags))
NAME_ONLY(chdir, (char const *path), (path))
NAME_ONLY(chmod, (char const *path, mode_t mode), (path, mode))
NAME_ONLY(chown, (char const *path, uid_t user, gid_t group), (path, user, group))
NAME_ONLY(lchown, (char const *path, uid_t user, gid_t group), (path, user, group))
NAME_ONLY(creat, (char const *path, mode_t mode), (path, mode))
NAME_ONLY(mkdir, (char const *path, mode_t mode), (path, mode))
NAME_ONLY(mkdirat, (int at, char const *path, mode_t mode), (at, path, mode))
NAME_ONLY(mkfifo, (char const *path, mode_t mode), (path, mode))
NAME_ONLY(rmdir, (char const *path), (path))
NAME_ONLY(unlink, (char const *path), (path))
NAME_ONLY(unlinkat, (int at, char const *path, int flags), (at, path, flags))
NAME_ONLY(remove, (char const *path), (path))
NAME_ONLY(truncate, (char const *path, off_t size), (path, size))
NAME_ONLY(truncate64, (char const *path, off_t size), (path, size))

/* The mode is there if the flags say so; passing on a word that is not there does no harm. */
#define OPEN(name, parameters, last, arguments) \
    INTERCEPT(int, name, parameters) {          \
        va_list rest;                           \
        va_start(rest, last);                   \
        mode_t mode = va_arg(rest, mode_t);     \
        va_end(rest);                           \
        struct dh_here here = DH_HERE;          \
        if (dh_checking()) {                    \
            READS_STRING(path)                  \
        }                                       \
        return REAL(name) arguments;            \
    }
OPEN(open, (char const *path, int flags, ...), flags, (path, flags, mode))
OPEN(open64, (char const *path, int flags, ...), flags, (path, flags, mode))
OPEN(openat, (int at, char const *path, int flags, ...), flags, (at, path, flags, mode))
OPEN(openat64, (int at, char const *path, int flags, ...), flags, (at, path, flags, mode))

/* ---- two ---- */

#define TWO_NAMES(name)                                                  \
    ROW(int, name, (char const *path, char const *other), (path, other), \
        READS_STRING(path) READS_STRING(other), )
TWO_NAMES(rename)
TWO_NAMES(link)
TWO_NAMES(symlink)

/* ---- what is said of it ---- */

#define STATUS(name, type)                                                              \
    ROW(int, name, (char const *path, struct type *to), (path, to), READS_STRING(path), \
        if (result == 0) WRITES(to))
STATUS(stat, stat)
STATUS(stat64, stat64)
STATUS(lstat, stat)
STATUS(lstat64, stat64)
STATUS(statfs, statfs)
STATUS(statvfs, statvfs)

#define STATUS_OPEN(name, type) \
    ROW(int, name, (int fd, struct type *to), (fd, to), , if (result == 0) WRITES(to))
STATUS_OPEN(fstat, stat)
STATUS_OPEN(fstat64, stat64)
STATUS_OPEN(fstatfs, statfs)
STATUS_OPEN(fstatvfs, statvfs)

#define STATUS_AT(name, type)                                                                     \
    ROW(int, name, (int at, char const *path, struct type *to, int flags), (at, path, to, flags), \
        READS_STRING(path), if (result == 0) WRITES(to))
STATUS_AT(fstatat, stat)
STATUS_AT(fstatat64, stat64)

ROW(ssize_t, readlink, (char const *path, char *to, size_t room), (path, to, room),
    READS_STRING(path), if (result > 0) WRITES_BYTES(to, (size_t)result))
ROW(ssize_t, readlinkat, (int at, char const *path, char *to, size_t room), (at, path, to, room),
    READS_STRING(path), if (result > 0) WRITES_BYTES(to, (size_t)result))
ROW(char *, getcwd, (char *to, size_t room), (to, room), , if (result && to) WRITES_STRING(to))
ROW(char *, realpath, (char const *path, char *to), (path, to), READS_STRING(path),
    if (result && to) WRITES_STRING(to))
ROW(int, gethostname, (char *to, size_t room), (to, room), , if (result == 0) WRITES_STRING(to))
ROW(int, uname, (struct utsname * to), (to), , if (result == 0) WRITES(to))
ROW(int, mkstemp, (char *path), (path), READS_STRING(path), WRITES_STRING(path))
ROW(char *, mkdtemp, (char *path), (path), READS_STRING(path), WRITES_STRING(path))

/* ---- directories: what readdir returns is overwritten by the next call for that directory ---- */

ROW(DIR *, opendir, (char const *path), (path), READS_STRING(path), )
#define ENTRY(result) WRITES_BYTES(result, (result)->d_reclen)
ROW(struct dirent *, readdir, (DIR * directory), (directory), , ENTRY(result))
ROW(struct dirent64 *, readdir64, (DIR * directory), (directory), , ENTRY(result))

/* ---- with _FORTIFY_SOURCE: the real ones abort if `limit` is too small ---- */

ROW(ssize_t, __readlink_chk, (char const *path, char *to, size_t room, size_t limit),
    (path, to, room, limit), READS_STRING(path), if (result > 0) WRITES_BYTES(to, (size_t)result))
ROW(ssize_t, __readlinkat_chk, (int at, char const *path, char *to, size_t room, size_t limit),
    (at, path, to, room, limit), READS_STRING(path),
    if (result > 0) WRITES_BYTES(to, (size_t)result))
ROW(char *, __getcwd_chk, (char *to, size_t room, size_t limit), (to, room, limit), ,
    if (result && to) WRITES_STRING(to))
ROW(char *, __realpath_chk, (char const *path, char *to, size_t limit), (path, to, limit),
    READS_STRING(path), if (result && to) WRITES_STRING(to))
ROW(int, __gethostname_chk, (char *to, size_t room, size_t limit), (to, room, limit), ,
    if (result == 0) WRITES_STRING(to))
