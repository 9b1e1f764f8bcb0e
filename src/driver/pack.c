/* deadheat pack FILE: the other end of a program that is recorded (rt/tape_file.c). A trace comes
 * in on standard input, block by block, and goes to FILE compressed. A byte on standard output says
 * that all of it is there: the program waits for that. Not for people: --help does not list it.
 */
#include "driver/verb.h"
#include "trace/pack.h"
#include "util/diag.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int dh_pack_run(struct dh_verb const *verb, char **argv) {
    (void)verb;
    if (!argv[0] || argv[1]) dh_fail("one file to write is wanted");
    int to = open(argv[0], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (to < 0) dh_fail("cannot write %s: %s", argv[0], strerror(errno));
    struct dh_trace_error error;
    int trouble = dh_trace_pack(STDIN_FILENO, to, &error);
    if (trouble == EBADMSG)
        dh_fail("standard input, at byte %llu: %s", (unsigned long long)error.offset,
                error.message);
    if (!trouble && close(to) != 0) trouble = errno;
    if (trouble) dh_fail("cannot write %s: %s", argv[0], strerror(trouble));
    if (write(STDOUT_FILENO, "", 1) != 1) dh_fail("cannot write: %s", strerror(errno));
    return DH_EXIT_OK;
}

void dh_pack_help(struct dh_verb const *verb) {
    (void)verb;
    puts("Compresses a trace from standard input into FILE. A recorded program does this by "
         "itself.");
}
