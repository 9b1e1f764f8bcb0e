/* Files by name. */
#include "spans.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>

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
    X(chdir, SET(b, "/tmp"), KEEP(chdir(m.b)), R(b, 0, 5))

RUN_CASES()
