/* Files by name. */
#include "spans.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <utime.h>

/* As <libgen.h> has them, which would take the name of GNU's basename. */
char *dirname(char *path);
char *__xpg_basename(char *path);

/* What m has no room for. */
static union {
    struct statx status;
    struct utsname system;
    char name[256];
} large;

static int directory(void) { return open("/dev", O_RDONLY | O_DIRECTORY); }

#define STATUS ((struct stat *)m.a) /* 144 bytes */
_Static_assert(sizeof(struct stat) <= ROOM, "");
#define PATH SET(b, "/dev/null")
#define PATH_R R(b, 0, 10)
#define CASES(X)                                                                                        \
    X(stat, PATH, KEEP(stat(m.b, STATUS)), PATH_R, W(a, 0, sizeof(struct stat)))                        \
    X(lstat, PATH, KEEP(lstat(m.b, STATUS)), PATH_R, W(a, 0, sizeof(struct stat)))                      \
    X(fstat, , KEEP(fstat(0, STATUS)), W(a, 0, sizeof(struct stat)))                                    \
    X(open, PATH, KEEP(close(open(m.b, O_RDONLY))), PATH_R)                                             \
    X(openat, PATH, KEEP(close(openat(AT_FDCWD, m.b, O_RDONLY))), PATH_R)                               \
    X(access, PATH, KEEP(access(m.b, R_OK)), PATH_R)                                                    \
    X(unlink, SET(b, "/no/such"), KEEP(unlink(m.b)), R(b, 0, 9))                                        \
    X(rename, SET(a, "/no/such"); SET(b, "/no/more"), KEEP(rename(m.a, m.b)), R(a, 0, 9), R(b, 0, 9))   \
    X(mkdir, SET(b, "/no/such"), KEEP(mkdir(m.b, 0700)), R(b, 0, 9))                                    \
    X(readlink, SET(b, "/proc/self/root"), KEEP(readlink(m.b, m.a, n(20))), W(a, 0, 1), R(b, 0, 16))    \
    X(getcwd, CHECK(chdir("/tmp") == 0), KEEP(getcwd(m.a, n(50))), W(a, 0, 5))                          \
    X(chdir, SET(b, "/tmp"), KEEP(chdir(m.b)), R(b, 0, 5))                                             \
    X(faccessat, SET(b, "/no/such"), KEEP(faccessat(AT_FDCWD, m.b, R_OK, 0)), R(b, 0, 9))              \
    X(chmod, SET(b, "/no/such"), KEEP(chmod(m.b, 0600)), R(b, 0, 9))                                   \
    X(chown, SET(b, "/no/such"), KEEP(chown(m.b, 1, 1)), R(b, 0, 9))                                   \
    X(lchown, SET(b, "/no/such"), KEEP(lchown(m.b, 1, 1)), R(b, 0, 9))                                 \
    X(creat, SET(b, "/no/such"), KEEP(creat(m.b, 0600)), R(b, 0, 9))                                   \
    X(creat64, SET(b, "/no/such"), KEEP(creat64(m.b, 0600)), R(b, 0, 9))                               \
    X(mkdirat, SET(b, "/no/such"), KEEP(mkdirat(AT_FDCWD, m.b, 0700)), R(b, 0, 9))                     \
    X(mkfifo, SET(b, "/no/such"), KEEP(mkfifo(m.b, 0600)), R(b, 0, 9))                                 \
    X(mkfifoat, SET(b, "/no/such"), KEEP(mkfifoat(AT_FDCWD, m.b, 0600)), R(b, 0, 9))                   \
    X(mknod, SET(b, "/no/such"), KEEP(mknod(m.b, S_IFREG, 0)), R(b, 0, 9))                             \
    X(mknodat, SET(b, "/no/such"), KEEP(mknodat(AT_FDCWD, m.b, S_IFREG, 0)), R(b, 0, 9))               \
    X(rmdir, SET(b, "/no/such"), KEEP(rmdir(m.b)), R(b, 0, 9))                                         \
    X(unlinkat, SET(b, "/no/such"), KEEP(unlinkat(AT_FDCWD, m.b, 0)), R(b, 0, 9))                      \
    X(remove, SET(b, "/no/such"), KEEP(remove(m.b)), R(b, 0, 9))                                       \
    X(truncate, SET(b, "/no/such"), KEEP(truncate(m.b, 1)), R(b, 0, 9))                                \
    X(truncate64, SET(b, "/no/such"), KEEP(truncate64(m.b, 1)), R(b, 0, 9))                            \
    X(chroot, SET(b, "/no/such"), KEEP(chroot(m.b)), R(b, 0, 9))                                       \
    X(euidaccess, SET(b, "/no/such"), KEEP(euidaccess(m.b, R_OK)), R(b, 0, 9))                         \
    X(eaccess, SET(b, "/no/such"), KEEP(eaccess(m.b, R_OK)), R(b, 0, 9))                               \
    X(fchmodat, SET(b, "/no/such"), KEEP(fchmodat(AT_FDCWD, m.b, 0600, 0)), R(b, 0, 9))                \
    X(fchownat, SET(b, "/no/such"), KEEP(fchownat(AT_FDCWD, m.b, 1, 1, 0)), R(b, 0, 9))                \
    X(shm_open, SET(b, "/no/such"), KEEP(shm_open(m.b, O_RDONLY, 0)), R(b, 0, 9))                      \
    X(shm_unlink, SET(b, "/no/such"), KEEP(shm_unlink(m.b)), R(b, 0, 9))                               \
    X(pathconf, SET(b, "/no/such"), KEEP(pathconf(m.b, _PC_NAME_MAX)), R(b, 0, 9))                     \
    X(open64, SET(b, "/no/such"), KEEP(open64(m.b, O_RDONLY)), R(b, 0, 9))                             \
    X(openat64, SET(b, "/no/such"), KEEP(openat64(AT_FDCWD, m.b, O_RDONLY)), R(b, 0, 9))               \
    X(memfd_create, SET(b, "name"), KEEP(close(memfd_create(m.b, 0))), R(b, 0, 5))                     \
    X(inotify_add_watch, SET(b, "/no/such"), KEEP(inotify_add_watch(-1, m.b, IN_OPEN)), R(b, 0, 9))    \
    X(ftok, SET(b, "/no/such"), KEEP(ftok(m.b, 1)), R(b, 0, 9))                                        \
    X(canonicalize_file_name, PATH, free(KEEP(canonicalize_file_name(m.b))), PATH_R)                   \
    X(opendir, SET(b, "/no/such"), KEEP(opendir(m.b)), R(b, 0, 9))                                     \
    X(utime_now, SET(b, "/no/such"), KEEP(utime(m.b, NULL)), R(b, 0, 9))                               \
    X(link, SET(a, "/no/such"); SET(b, "/no/more"), KEEP(link(m.a, m.b)), R(a, 0, 9), R(b, 0, 9))      \
    X(symlink, SET(a, "/no/such"); SET(b, "/no/more"), KEEP(symlink(m.a, m.b)), R(a, 0, 9), R(b, 0, 9)) \
    X(renameat, SET(a, "/no/such"); SET(b, "/no/more"), KEEP(renameat(AT_FDCWD, m.a, AT_FDCWD, m.b)),  \
      R(a, 0, 9), R(b, 0, 9))                                                                          \
    X(renameat2, SET(a, "/no/such"); SET(b, "/no/more"), KEEP(renameat2(AT_FDCWD, m.a, AT_FDCWD, m.b, 0)), \
      R(a, 0, 9), R(b, 0, 9))                                                                          \
    X(linkat, SET(a, "/no/such"); SET(b, "/no/more"), KEEP(linkat(AT_FDCWD, m.a, AT_FDCWD, m.b, 0)),   \
      R(a, 0, 9), R(b, 0, 9))                                                                          \
    X(symlinkat, SET(a, "/no/such"); SET(b, "/no/more"), KEEP(symlinkat(m.a, AT_FDCWD, m.b)), R(a, 0, 9), R(b, 0, 9)) \
    X(utime, SET(b, "/no/such"), KEEP(utime(m.b, (void *)m.a)), R(a, 0, 16), R(b, 0, 9))               \
    X(utimes, SET(b, "/no/such"), KEEP(utimes(m.b, (void *)m.a)), R(a, 0, 32), R(b, 0, 9))             \
    X(lutimes, SET(b, "/no/such"), KEEP(lutimes(m.b, (void *)m.a)), R(a, 0, 32), R(b, 0, 9))           \
    X(utimensat, SET(b, "/no/such"), KEEP(utimensat(AT_FDCWD, m.b, (void *)m.a, 0)), R(a, 0, 32), R(b, 0, 9)) \
    X(futimes, , KEEP(futimes(-1, (void *)m.a)), R(a, 0, 32))                                          \
    X(futimens, , KEEP(futimens(-1, (void *)m.a)), R(a, 0, 32))                                        \
    X(stat64, PATH, KEEP(stat64(m.b, (void *)m.a)), PATH_R, W(a, 0, sizeof(struct stat64)))            \
    X(lstat64, PATH, KEEP(lstat64(m.b, (void *)m.a)), PATH_R, W(a, 0, sizeof(struct stat64)))          \
    X(statfs, PATH, KEEP(statfs(m.b, (void *)m.a)), PATH_R, W(a, 0, sizeof(struct statfs)))            \
    X(statfs64, PATH, KEEP(statfs64(m.b, (void *)m.a)), PATH_R, W(a, 0, sizeof(struct statfs64)))      \
    X(statvfs, PATH, KEEP(statvfs(m.b, (void *)m.a)), PATH_R, W(a, 0, sizeof(struct statvfs)))         \
    X(statvfs64, PATH, KEEP(statvfs64(m.b, (void *)m.a)), PATH_R, W(a, 0, sizeof(struct statvfs64)))   \
    X(fstat64, , KEEP(fstat64(0, (void *)m.a)), W(a, 0, sizeof(struct stat64)))                        \
    X(fstatfs, , KEEP(fstatfs(0, (void *)m.a)), W(a, 0, sizeof(struct statfs)))                        \
    X(fstatfs64, , KEEP(fstatfs64(0, (void *)m.a)), W(a, 0, sizeof(struct statfs64)))                  \
    X(fstatvfs, , KEEP(fstatvfs(0, (void *)m.a)), W(a, 0, sizeof(struct statvfs)))                     \
    X(fstatvfs64, , KEEP(fstatvfs64(0, (void *)m.a)), W(a, 0, sizeof(struct statvfs64)))               \
    X(fstatat, PATH, KEEP(fstatat(AT_FDCWD, m.b, STATUS, 0)), PATH_R, W(a, 0, sizeof(struct stat)))    \
    X(fstatat64, PATH, KEEP(fstatat64(AT_FDCWD, m.b, (void *)m.a, 0)), PATH_R, W(a, 0, sizeof(struct stat))) \
    X(statx, SET(a, "/dev/null"), KEEP(statx(AT_FDCWD, m.a, 0, STATX_TYPE, &large.status)), R(a, 0, 10)) \
    X(readlinkat, SET(b, "/proc/self/root"), KEEP(readlinkat(AT_FDCWD, m.b, m.a, n(20))), W(a, 0, 1), R(b, 0, 16)) \
    X(realpath, SET(b, "/dev/../dev"), KEEP(realpath(m.b, NULL)), R(b, 0, 12))                         \
    X(gethostname, , KEEP(gethostname(large.name, n(100))), NOTHING)                                       \
    X(uname, , KEEP(uname(&large.system)), NOTHING)                                                    \
    X(mkstemp, SET(a, "/no/XXXXXX"), KEEP(mkstemp(m.a)), R(a, 0, 11), W(a, 4, 6))                                  \
    X(mkstemp64, SET(a, "/no/XXXXXX"), KEEP(mkstemp64(m.a)), R(a, 0, 11), W(a, 4, 6))                              \
    X(mkostemp, SET(a, "/no/XXXXXX"), KEEP(mkostemp(m.a, 0)), R(a, 0, 11), W(a, 4, 6))                             \
    X(mkostemp64, SET(a, "/no/XXXXXX"), KEEP(mkostemp64(m.a, 0)), R(a, 0, 11), W(a, 4, 6))                         \
    X(mkstemps, SET(a, "/no/XXXXXX.c"), KEEP(mkstemps(m.a, 2)), R(a, 0, 13), W(a, 4, 6))                           \
    X(mkstemps64, SET(a, "/no/XXXXXX.c"), KEEP(mkstemps64(m.a, 2)), R(a, 0, 13), W(a, 4, 6))                       \
    X(mkostemps, SET(a, "/no/XXXXXX.c"), KEEP(mkostemps(m.a, 2, 0)), R(a, 0, 13), W(a, 4, 6))                      \
    X(mkostemps64, SET(a, "/no/XXXXXX.c"), KEEP(mkostemps64(m.a, 2, 0)), R(a, 0, 13), W(a, 4, 6))                  \
    X(mkdtemp, SET(a, "/no/XXXXXX"), KEEP(mkdtemp(m.a)), R(a, 0, 11), W(a, 4, 6))                                  \
    X(mktemp, SET(a, "/no/XXXXXX"), KEEP(mktemp(m.a)), R(a, 0, 11), W(a, 4, 6))                                    \
    X(tmpnam_r, , KEEP(tmpnam_r(m.a)), W(a, 0, 16))                                                    \
    X(tempnam, SET(a, "/tmp"); SET(b, "x"), KEEP(tempnam(m.a, m.b)), R(a, 0, 5), R(b, 0, 2))           \
    X(scandir, SET(b, "/no/such"), KEEP(scandir(m.b, (void *)m.a, NULL, alphasort)), R(b, 0, 9))       \
    X(scandir64, SET(b, "/dev/fd"), KEEP(scandir64(m.b, (void *)m.a, NULL, alphasort64)), R(b, 0, 8), W(a, 0, 8)) \
    X(ftw, SET(b, "/no/such"), KEEP(ftw(m.b, NULL, 1)), R(b, 0, 9))                                    \
    X(ftw64, SET(b, "/no/such"), KEEP(ftw64(m.b, NULL, 1)), R(b, 0, 9))                                \
    X(nftw, SET(b, "/no/such"), KEEP(nftw(m.b, NULL, 1, 0)), R(b, 0, 9))                               \
    X(nftw64, SET(b, "/no/such"), KEEP(nftw64(m.b, NULL, 1, 0)), R(b, 0, 9))                           \
    X(dirname, SET(a, "/usr/lib"), KEEP(dirname(m.a)), R(a, 0, 9), W(a, 4, 1))                         \
    X(xpg_basename, SET(a, "/usr/lib/"), KEEP(__xpg_basename(m.a)), R(a, 0, 10), W(a, 8, 1))           \
    X(gnu_basename, SET(a, "/usr/lib"), KEEP(basename(m.a)), R(a, 0, 9))                               \
    X(getdents64, (void)0, KEEP(getdents64(directory(), m.a, n(48))), W(a, 0, 48))

RUN_CASES()
