/* Whoever reads the end of a pipe comes after who closed everything. And descriptors that tell of files are told
 * apart. */
// FLAGS: -D_GNU_SOURCE
#include "access/cases.h"

#include <sys/inotify.h>
#include <unistd.h>

int data;
static void closes_all(void) {
    data = 1;
    closefrom(3);
}
static void reads_end(void) {
    char byte;
    CHECK(read(0, &byte, 1) == 0);
    data++;
}

static void *watches(void *unused) {
    char name[64] = "/tmp/deadheat-watch-XXXXXX", events[1024];
    int one = inotify_init(), other = inotify_init1(IN_CLOEXEC), file = mkstemp(name);
    CHECK(one != -1 && other != -1 && file != -1);
    CHECK(inotify_add_watch(one, name, IN_MODIFY) != -1 && inotify_add_watch(other, name, IN_MODIFY) != -1);
    CHECK(unlink(name) == 0 && write(file, "x", 1) == 1);
    CHECK(read(one, events, sizeof events) > 0 && read(other, events, sizeof events) > 0);
    return unused;
}

static struct case_pair const pairs[] = {{"closefrom", closes_all, reads_end}};

int main(void) {
    int ends[2];
    run_two(watches, watches);
    CHECK(pipe(ends) == 0 && dup2(ends[0], 0) == 0);
    CASES_RUN(pairs, 0);
    return 0;
}
