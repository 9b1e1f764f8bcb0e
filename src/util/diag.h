/* Messages of the command-line tools: one line on standard error, in the form "deadheat cc: what is
 * wrong".
 *
 * They are of three kinds, and say so by what they name: the user's mistakes name the argument or
 * file, the environment's name the missing part and the system's reason, ours ask for a bug report.
 */
#ifndef DEADHEAT_UTIL_DIAG_H
#define DEADHEAT_UTIL_DIAG_H

enum {
    DH_EXIT_OK = 0,
    DH_EXIT_RACES = 1,   /* there is something to report */
    DH_EXIT_TROUBLE = 2, /* the work could not be done */
};

/* Who is speaking; "deadheat" until set. The text is not copied. */
void dh_diag_speaker(char const *name);

/* Prints the message and ends the tool with DH_EXIT_TROUBLE. */
__attribute__((noreturn, format(printf, 1, 2))) void dh_fail(char const *format, ...);

#endif
