/* Files by their names, and what is said of them. */
#include "rt/intercept/table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <utime.h>

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

NAME_ONLY(chroot, (char const *path), (path))
NAME_ONLY(creat64, (char const *path, mode_t mode), (path, mode))
NAME_ONLY(euidaccess, (char const *path, int mode), (path, mode))
NAME_ONLY(eaccess, (char const *path, int mode), (path, mode))
NAME_ONLY(fchmodat, (int at, char const *path, mode_t mode, int flags), (at, path, mode, flags))
NAME_ONLY(fchownat, (int at, char const *path, uid_t user, gid_t group, int flags),
          (at, path, user, group, flags))
NAME_ONLY(mkfifoat, (int at, char const *path, mode_t mode), (at, path, mode))
NAME_ONLY(mknod, (char const *path, mode_t mode, dev_t device), (path, mode, device))
NAME_ONLY(mknodat, (int at, char const *path, mode_t mode, dev_t device), (at, path, mode, device))
NAME_ONLY(shm_open, (char const *path, int flags, mode_t mode), (path, flags, mode))
NAME_ONLY(shm_unlink, (char const *path), (path))
ROW(long, pathconf, (char const *path, int name), (path, name), READS_STRING(path), )

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
/* With _FORTIFY_SOURCE, where there are no more arguments. */
NAME_ONLY(__open_2, (char const *path, int flags), (path, flags))
NAME_ONLY(__open64_2, (char const *path, int flags), (path, flags))
NAME_ONLY(__openat_2, (int at, char const *path, int flags), (at, path, flags))
NAME_ONLY(__openat64_2, (int at, char const *path, int flags), (at, path, flags))
/* Not of files, but named like them. */
NAME_ONLY(memfd_create, (char const *path, unsigned flags), (path, flags))
NAME_ONLY(inotify_add_watch, (int fd, char const *path, uint32_t mask), (fd, path, mask))
ROW(key_t, ftok, (char const *path, int id), (path, id), READS_STRING(path), )
ROW(char *, canonicalize_file_name, (char const *path), (path), READS_STRING(path), )

/* ---- two ---- */

#define TWO_NAMES(name)                                                  \
    ROW(int, name, (char const *path, char const *other), (path, other), \
        READS_STRING(path) READS_STRING(other), )
TWO_NAMES(rename)
TWO_NAMES(link)
TWO_NAMES(symlink)

#define TWO_NAMES_AT(name, flags, flag_arguments)                                          \
    ROW(int, name, (int at, char const *path, int other_at, char const *other LIST flags), \
        (at, path, other_at, other LIST flag_arguments), READS_STRING(path) READS_STRING(other), )
#define LIST(...) __VA_ARGS__
TWO_NAMES_AT(renameat, (), ())
TWO_NAMES_AT(renameat2, (, unsigned flags), (, flags))
TWO_NAMES_AT(linkat, (, int flags), (, flags))
ROW(int, symlinkat, (char const *path, int at, char const *other), (path, at, other),
    READS_STRING(path) READS_STRING(other), )

/* ---- its times ---- */

ROW(int, utime, (char const *path, struct utimbuf const *times), (path, times),
    READS_STRING(path) READS(times), )
#define TIMES(name)                                                                  \
    ROW(int, name, (char const *path, struct timeval const times[2]), (path, times), \
        READS_STRING(path) READS_BYTES(times, 2 * sizeof *times), )
TIMES(utimes)
TIMES(lutimes)
ROW(int, futimes, (int fd, struct timeval const times[2]), (fd, times),
    READS_BYTES(times, 2 * sizeof *times), )
ROW(int, futimens, (int fd, struct timespec const times[2]), (fd, times),
    READS_BYTES(times, 2 * sizeof *times), )
ROW(int, utimensat, (int at, char const *path, struct timespec const times[2], int flags),
    (at, path, times, flags), READS_STRING(path) READS_BYTES(times, 2 * sizeof *times), )

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
STATUS(statfs64, statfs64)
STATUS(statvfs64, statvfs64)
STATUS_OPEN(fstatfs64, statfs64)
STATUS_OPEN(fstatvfs64, statvfs64)
ROW(int, statx, (int at, char const *path, int flags, unsigned mask, struct statx *to),
    (at, path, flags, mask, to), READS_STRING(path), if (result == 0) WRITES(to))

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
/* Six letters before the suffix are made up, unless they are not there. */
static void letters_written(char *path, int suffix, bool refused, struct dh_here here) {
    size_t after = 6 + (size_t)suffix, size = dh_length(path);
    if (!refused && suffix >= 0 && size >= after) WRITES_BYTES(path + size - after, 6)
}
#define NEW_NAME(name, suffix, parameters, arguments)         \
    ROW(int, name, parameters, arguments, READS_STRING(path), \
        letters_written(path, suffix, result == -1 && errno == EINVAL, here);)
NEW_NAME(mkstemp, 0, (char *path), (path))
NEW_NAME(mkstemp64, 0, (char *path), (path))
NEW_NAME(mkostemp, 0, (char *path, int flags), (path, flags))
NEW_NAME(mkostemp64, 0, (char *path, int flags), (path, flags))
NEW_NAME(mkstemps, suffix, (char *path, int suffix), (path, suffix))
NEW_NAME(mkstemps64, suffix, (char *path, int suffix), (path, suffix))
NEW_NAME(mkostemps, suffix, (char *path, int suffix, int flags), (path, suffix, flags))
NEW_NAME(mkostemps64, suffix, (char *path, int suffix, int flags), (path, suffix, flags))
ROW(char *, mkdtemp, (char *path), (path), READS_STRING(path),
    letters_written(path, 0, !result && errno == EINVAL, here);)
ROW(
    char *, mktemp, (char *path), (path), READS_STRING(path),
    if (*path) { letters_written(path, 0, false, here); } else {WRITES_BYTES(path, 1)})
/* Without a place of the program's it is libc's, which the next call overwrites. */
ROW(char *, tmpnam, (char *to), (to), , WRITES_STRING(result))
ROW(char *, tmpnam_r, (char *to), (to), , WRITES_STRING(result))
ROW(char *, tempnam, (char const *path, char const *begin), (path, begin),
    READS_STRING(path) READS_STRING(begin), )

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
