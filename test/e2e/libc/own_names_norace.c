/* A program may use names of libc's functions for its own purposes, also those that Deadheat stands in front of:
 * variables and functions with other parameters among them.
 * FLAGS: -fno-builtin -w
 */
#include "test.h"

int glob = 1; /* of glob.h */

/* The second edition of "The C Programming Language" has one. */
int get_line(char *line, int limit) __asm__("getline");
int get_line(char *line, int limit) {
    line[0] = 'x', line[1] = 0;
    return limit;
}

/* Others have the same name in libc, and another meaning. */
int wait_for(int *what, int until) __asm__("wait");
int wait_for(int *what, int until) { return *what = until; }

static void *work(void *unused) {
    char line[2];
    int own = 0;
    CHECK(get_line(line, 2) == 2 && line[0] == 'x');
    CHECK(wait_for(&own, 3) == 3 && own == 3);
    return unused;
}

int main(void) {
    glob++;
    pthread_t other = spawn(work, NULL);
    work(NULL);
    join(other);
    CHECK(glob == 2);
    return 0;
}
