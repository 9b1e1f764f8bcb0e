/* In good order the status is the one that was asked for; so it is with _Exit, whatever happened before, and in the
 * child of _Fork. */
// FLAGS: -D_GNU_SOURCE -Wno-format
#include "last_words.h"

static void *nothing(void *unused) { return unused; }

int main(void) {
    int status;
    for (int i = 0; i < WAYS; i++)
        CHECK(status_of(last_words[i], 1) == STATUS);
    join(spawn(nothing, NULL));
    pid_t pid = _Fork();
    if (pid == 0) {
        text[0]++;
        _Exit(STATUS);
    }
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == STATUS);
    return 0;
}
