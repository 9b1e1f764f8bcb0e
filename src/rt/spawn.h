/* A helper process that the program does not notice.
 *
 * Not by SIGCHLD, and not by wait(-1): the helper is the child of a process in between, which is a
 * clone without an exit signal (only __WCLONE sees those) and is gone when dh_spawn returns. Where
 * orphans would come back to the program itself, because it is init or a subreaper, that process
 * stays as the helper's parent until dh_spawn_end. Not by SIGPIPE, by a lower file descriptor than
 * before, or by a descriptor that an exec inherits. The helper is in a session of its own (no
 * Ctrl-C), has default signals, and none of the program's files open. When the program ends it
 * reads end of file.
 */
#ifndef DEADHEAT_RT_SPAWN_H
#define DEADHEAT_RT_SPAWN_H

#include "rt/base.h"

struct dh_child {
    int socket;             /* the helper's standard input and output */
    uint64_t device, inode; /* of the socket: a program may close what it did not open */
    long keeper;            /* the process in between, where it stays; else 0 */
    struct launch *launch;  /* its memory */
};

/* Starts the first of `paths` that can be executed. 0 or an errno. */
int dh_spawn(struct dh_child *child, char const *const *paths, char const *const *arguments,
             char const *const *environment);

/* Is the socket still the one that was made? */
bool dh_spawn_intact(struct dh_child const *child);

/* Lets go of the helper, which then ends by itself. */
void dh_spawn_end(struct dh_child *child);

/* In a child of fork: the helper is the parent's. */
void dh_spawn_forget(struct dh_child *child);

#endif
