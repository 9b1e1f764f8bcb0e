/* Every function is seen to access the first and the last byte of all that it must: another thread's
 * conflicting access to just that byte is a race. Each in a process of its own. */
// FLAGS: -D_GNU_SOURCE -fno-builtin -Wno-deprecated-declarations
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "string_cases.h"

#include <sys/wait.h>

static struct test const *now;
static char volatile *byte;
static int reads;
static char volatile value;

static void *call(void *unused) {
    now->call();
    step();
    return unused;
}

static void *use(void *unused) {
    step();
    if (reads)
        value = *byte;
    else
        *byte = 1;
    return unused;
}

/* Reports a race, if there is one, by its exit status. */
static int races(void) {
    pid_t pid = fork();
    if (pid == 0) {
        run_two(call, use);
        exit(0);
    }
    int status;
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    return WEXITSTATUS(status) == 66;
}

int main(void) {
    int missed = 0;
    for (int i = 0; i < TESTS; i++)
        for (int s = 0; s < 2 * SPANS; s++) {
            struct span const *span = &tests[i].spans[s / 2];
            if (!span->at) continue;
            now = &tests[i];
            prepare(now);
            byte = span->at + span->from + (s % 2 ? span->size - 1 : 0);
            reads = span->write;
            if (races()) continue;
            fprintf(stderr, "%s: the %s of byte %d is not seen\n", now->name,
                    span->write ? "write" : "read", (int)(byte - (char *)&m));
            missed++;
        }
    return missed ? 1 : 66;
}
