/* Other programs, beside this one or in its place. An exec that works ends the process as far as
 * its checks are concerned, and one that fails does not: so what the running thread has put off is
 * checked before it, and other threads, which may have to go on, are left alone (rt/ending.h). */
#include "rt/ending.h"
#include "rt/intercept/table.h"

#include <spawn.h>
#include <stdarg.h>
#include <unistd.h>

static void list_read(char *const *list, struct dh_here here) {
    size_t count = 0;
    if (!list) return;
    for (; list[count]; count++)
        READS_STRING(list[count])
    READS_BYTES(list, (count + 1) * sizeof *list)
}

#define SPAWN(name)                                                                           \
    ROW(int, name,                                                                            \
        (pid_t * to, char const *path, posix_spawn_file_actions_t const *actions,             \
         posix_spawnattr_t const *attributes, char *const argv[], char *const environment[]), \
        (to, path, actions, attributes, argv, environment),                                   \
        READS_STRING(path) READS(actions) READS(attributes) list_read(argv, here);            \
        list_read(environment, here);, if (result == 0) WRITES(to))
SPAWN(posix_spawn)
SPAWN(posix_spawnp)

/* ---- what is to be done before the other program begins ---- */

#define ACTION(name, parameters, arguments, reads)                                         \
    ROW(int, posix_spawn_file_actions_##name, (posix_spawn_file_actions_t * a parameters), \
        (a arguments), WRITES(a) reads, )
#define AND(...) , __VA_ARGS__
ACTION(init, , , )
ACTION(destroy, , , )
ACTION(addopen, AND(int fd, char const *path, int flags, mode_t mode), AND(fd, path, flags, mode),
       READS_STRING(path))
ACTION(addclose, AND(int fd), AND(fd), )
ACTION(adddup2, AND(int fd, int to), AND(fd, to), )
ACTION(addchdir_np, AND(char const *path), AND(path), READS_STRING(path))
ACTION(addfchdir_np, AND(int fd), AND(fd), )
ACTION(addclosefrom_np, AND(int from), AND(from), )
ACTION(addtcsetpgrp_np, AND(int fd), AND(fd), )

ROW(int, posix_spawnattr_init, (posix_spawnattr_t * a), (a), WRITES(a), )
ROW(int, posix_spawnattr_destroy, (posix_spawnattr_t * a), (a), WRITES(a), )
#define ATTRIBUTE_GET(name, type, field)                                                 \
    ROW(int, posix_spawnattr_get##name, (posix_spawnattr_t const *a, type *to), (a, to), \
        READS(&a->field), if (result == 0) WRITES(to))
#define ATTRIBUTE(name, type, field)                                                     \
    ATTRIBUTE_GET(name, type, field)                                                     \
    ROW(int, posix_spawnattr_set##name, (posix_spawnattr_t * a, type value), (a, value), \
        WRITES(&a->field), )
#define ATTRIBUTE_FROM(name, type, field)                                                     \
    ATTRIBUTE_GET(name, type, field)                                                          \
    ROW(int, posix_spawnattr_set##name, (posix_spawnattr_t * a, type const *from), (a, from), \
        READS(from) WRITES(&a->field), )
ATTRIBUTE(flags, short, __flags)
ATTRIBUTE(pgroup, pid_t, __pgrp)
ATTRIBUTE(schedpolicy, int, __policy)
ATTRIBUTE_FROM(schedparam, struct sched_param, __sp)
ATTRIBUTE_FROM(sigdefault, sigset_t, __sd)
ATTRIBUTE_FROM(sigmask, sigset_t, __ss)

/* ---- arguments in a list of the program's ---- */

#define EXEC(name, parameters, arguments, reads) \
    ROW(int, name, parameters, arguments, reads dh_ending_alone();, )
EXEC(execv, (char const *path, char *const argv[]), (path, argv),
     READS_STRING(path) list_read(argv, here);)
EXEC(execvp, (char const *path, char *const argv[]), (path, argv),
     READS_STRING(path) list_read(argv, here);)
EXEC(execve, (char const *path, char *const argv[], char *const environment[]),
     (path, argv, environment), READS_STRING(path) list_read(argv, here);
     list_read(environment, here);)
EXEC(execvpe, (char const *path, char *const argv[], char *const environment[]),
     (path, argv, environment), READS_STRING(path) list_read(argv, here);
     list_read(environment, here);)
EXEC(fexecve, (int fd, char *const argv[], char *const environment[]), (fd, argv, environment),
     list_read(argv, here);
     list_read(environment, here);)
EXEC(execveat, (int at, char const *path, char *const argv[], char *const environment[], int flags),
     (at, path, argv, environment, flags), READS_STRING(path) list_read(argv, here);
     list_read(environment, here);)

/* ---- arguments one by one, up to a null: libc's own make such a list of them, too ---- */

static size_t count_of(char const *first, va_list list) {
    size_t count = 0;
    for (char const *s = first; s; s = va_arg(list, char const *))
        count++;
    return count;
}

static void before_exec(char const *path, char **argv, struct dh_here here) {
    if (!dh_checking()) return;
    READS_STRING(path)
    for (; *argv; argv++)
        READS_STRING(*argv)
    dh_ending_alone();
}

/* `rest` is what comes behind the null. */
#define EXEC_EACH(name, rest, by, arguments)                                       \
    INTERCEPT(int, name, (char const *path, char const *first, ...)) {             \
        struct dh_here here = DH_HERE;                                             \
        va_list list;                                                              \
        va_start(list, first);                                                     \
        char *argv[count_of(first, list) + 1];                                     \
        va_end(list);                                                              \
        va_start(list, first);                                                     \
        size_t count = 0;                                                          \
        for (char *s = (char *)first; (argv[count] = s); s = va_arg(list, char *)) \
            count++;                                                               \
        rest;                                                                      \
        va_end(list);                                                              \
        before_exec(path, argv, here);                                             \
        return REAL(by) arguments;                                                 \
    }
EXEC_EACH(execl, , execv, (path, argv))
EXEC_EACH(execlp, , execvp, (path, argv))
EXEC_EACH(execle, char **environment = va_arg(list, char **);
          if (dh_checking()) list_read(environment, here), execve, (path, argv, environment))
