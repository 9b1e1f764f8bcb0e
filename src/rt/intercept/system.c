/* The system and its processes: what they are told, and what they say of themselves. */
#include "rt/intercept/table.h"

#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* ---- limits, use, priorities ---- */

#define LIMITS(get, set, type)                                                              \
    ROW(int, get, (int which, struct type *to), (which, to), , if (result == 0) WRITES(to)) \
    ROW(int, set, (int which, struct type const *from), (which, from), READS(from), )
LIMITS(getrlimit, setrlimit, rlimit)
LIMITS(getrlimit64, setrlimit64, rlimit64)
#define LIMIT_OF(name, type)                                                             \
    ROW(int, name, (pid_t process, int which, struct type const *new, struct type *old), \
        (process, which, new, old), READS(new), if (result == 0) WRITES(old))
LIMIT_OF(prlimit, rlimit)
LIMIT_OF(prlimit64, rlimit64)
ROW(int, getrusage, (int who, struct rusage *to), (who, to), , if (result == 0) WRITES(to))
ROW(int, sysinfo, (struct sysinfo * to), (to), , if (result == 0) WRITES(to))
ROW(int, getloadavg, (double to[], int count), (to, count), ,
    if (result > 0) WRITES_BYTES(to, (size_t)result * sizeof *to))
ROW(size_t, confstr, (int name, char *to, size_t room), (name, to, room), ,
    if (room) WRITES_BYTES(to, result < room ? result : room))
ROW(int, getdomainname, (char *to, size_t room), (to, room), , if (result == 0) WRITES_STRING(to))

ROW(int, sched_getaffinity, (pid_t process, size_t size, cpu_set_t *to), (process, size, to), ,
    if (result == 0) WRITES_BYTES(to, size))
ROW(int, sched_setaffinity, (pid_t process, size_t size, cpu_set_t const *from),
    (process, size, from), READS_BYTES(from, size), )
ROW(int, sched_getparam, (pid_t process, struct sched_param *to), (process, to), ,
    if (result == 0) WRITES(to))
ROW(int, sched_setparam, (pid_t process, struct sched_param const *from), (process, from),
    READS(from), )
ROW(int, sched_setscheduler, (pid_t process, int policy, struct sched_param const *from),
    (process, policy, from), READS(from), )
ROW(int, sched_rr_get_interval, (pid_t process, struct timespec *to), (process, to), ,
    if (result == 0) WRITES(to))

/* ---- processes ---- */

ROW(pid_t, wait, (int *status), (status), , if (result > 0) WRITES(status))
ROW(pid_t, waitpid, (pid_t process, int *status, int options), (process, status, options), ,
    if (result > 0) WRITES(status))
ROW(pid_t, wait3, (int *status, int options, struct rusage *use), (status, options, use), ,
    if (result > 0){WRITES(status) WRITES(use)})
ROW(pid_t, wait4, (pid_t process, int *status, int options, struct rusage *use),
    (process, status, options, use), , if (result > 0){WRITES(status) WRITES(use)})
ROW(int, waitid, (idtype_t type, id_t id, siginfo_t *info, int options), (type, id, info, options),
    , if (result == 0) WRITES(info))
ROW(int, system, (char const *command), (command), READS_STRING(command), )

/* ---- terminals ---- */

ROW(int, tcgetattr, (int fd, struct termios *to), (fd, to), , if (result == 0) WRITES(to))
ROW(int, tcsetattr, (int fd, int when, struct termios const *from), (fd, when, from), READS(from), )
ROW_VOID(cfmakeraw, (struct termios * t), (t), WRITES(t), )
/* What these return is overwritten by the next call, of whichever thread. */
ROW(char *, ttyname, (int fd), (fd), , WRITES_STRING(result))
ROW(char *, ptsname, (int fd), (fd), , WRITES_STRING(result))
ROW(int, ttyname_r, (int fd, char *to, size_t room), (fd, to, room), ,
    if (result == 0) WRITES_STRING(to))
ROW(int, ptsname_r, (int fd, char *to, size_t room), (fd, to, room), ,
    if (result == 0) WRITES_STRING(to))

/* ---- with _FORTIFY_SOURCE: the real ones abort if `limit` is too small ---- */

ROW(size_t, __confstr_chk, (int name, char *to, size_t room, size_t limit), (name, to, room, limit),
    , if (room) WRITES_BYTES(to, result < room ? result : room))
ROW(int, __getdomainname_chk, (char *to, size_t room, size_t limit), (to, room, limit), ,
    if (result == 0) WRITES_STRING(to))
ROW(int, __ttyname_r_chk, (int fd, char *to, size_t room, size_t limit), (fd, to, room, limit), ,
    if (result == 0) WRITES_STRING(to))
ROW(int, __ptsname_r_chk, (int fd, char *to, size_t room, size_t limit), (fd, to, room, limit), ,
    if (result == 0) WRITES_STRING(to))

/* ---- what only some descriptors understand: requests whose memory is known ---- */

static struct request {
    unsigned long name;
    unsigned char reads, writes; /* bytes */
} const requests[] = {
    {FIONREAD, 0, sizeof(int)},
    {FIONBIO, sizeof(int), 0},
    {FIOASYNC, sizeof(int), 0},
    {TIOCOUTQ, 0, sizeof(int)},
    {TIOCGPGRP, 0, sizeof(pid_t)},
    {TIOCSPGRP, sizeof(pid_t), 0},
    {TIOCGSID, 0, sizeof(pid_t)},
    {TIOCGWINSZ, 0, sizeof(struct winsize)},
    {TIOCSWINSZ, sizeof(struct winsize), 0},
    {TIOCGPTN, 0, sizeof(int)},
    {TIOCSPTLCK, sizeof(int), 0},
};

/* The argument is there for most; passing on a word that is not there does no harm. */
INTERCEPT(int, ioctl, (int fd, unsigned long name, ...)) {
    struct dh_here here = DH_HERE;
    va_list rest;
    va_start(rest, name);
    void *p = va_arg(rest, void *);
    va_end(rest);
    struct request const *known = 0;
    if (dh_checking())
        for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
            if (requests[i].name == name) known = &requests[i];
    if (known && known->reads) READS_BYTES(p, known->reads)
    int result = REAL(ioctl)(fd, name, p);
    if (known && known->writes && result != -1) WRITES_BYTES(p, known->writes)
    return result;
}

/* ---- threads, as the system sees them ---- */

ROW(int, pthread_getname_np, (pthread_t thread, char *to, size_t room), (thread, to, room), ,
    if (result == 0) WRITES_STRING(to))
ROW(int, pthread_getaffinity_np, (pthread_t thread, size_t size, cpu_set_t *to), (thread, size, to),
    , if (result == 0) WRITES_BYTES(to, size))
ROW(int, pthread_setaffinity_np, (pthread_t thread, size_t size, cpu_set_t const *from),
    (thread, size, from), READS_BYTES(from, size), )
ROW(int, pthread_getschedparam, (pthread_t thread, int *policy, struct sched_param *to),
    (thread, policy, to), , if (result == 0){WRITES(policy) WRITES(to)})
ROW(int, pthread_setschedparam, (pthread_t thread, int policy, struct sched_param const *from),
    (thread, policy, from), READS(from), )
ROW(int, pthread_getcpuclockid, (pthread_t thread, clockid_t *to), (thread, to), ,
    if (result == 0) WRITES(to))
ROW(int, clock_getcpuclockid, (pid_t process, clockid_t *to), (process, to), ,
    if (result == 0) WRITES(to))

/* ---- attributes of files ---- */

#define ATTRIBUTES(get, set, list, remove, file, file_argument, before)                  \
    ROW(ssize_t, get, (file, char const *name, void *to, size_t room),                   \
        (file_argument, name, to, room), before READS_STRING(name),                      \
        if (result > 0 && room) WRITES_BYTES(to, (size_t)result))                        \
    ROW(int, set, (file, char const *name, void const *from, size_t size, int flags),    \
        (file_argument, name, from, size, flags),                                        \
        before READS_STRING(name) READS_BYTES(from, size), )                             \
    ROW(ssize_t, list, (file, char *to, size_t room), (file_argument, to, room), before, \
        if (result > 0 && room) WRITES_BYTES(to, (size_t)result))                        \
    ROW(int, remove, (file, char const *name), (file_argument, name), before READS_STRING(name), )
ATTRIBUTES(getxattr, setxattr, listxattr, removexattr, char const *path, path, READS_STRING(path))
ATTRIBUTES(lgetxattr, lsetxattr, llistxattr, lremovexattr, char const *path, path,
           READS_STRING(path))
ATTRIBUTES(fgetxattr, fsetxattr, flistxattr, fremovexattr, int fd, fd, )
