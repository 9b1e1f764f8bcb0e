/* Accesses of every width and kind touch their first byte and their last. Whoever comes second finds the
 * race, so both orders; each in a process of its own, because like reports are folded. */
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "accesses.h"

#include <sys/wait.h>
#include <unistd.h>

static int races_in_child(void (*first)(void), void (*second)(void)) {
    pid_t pid = fork();
    if (pid == 0) {
        case_races(first, second);
        exit(0);
    }
    int status;
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    return WEXITSTATUS(status) == 66;
}

int main(void) {
    int missed = 0;
    add_all();
    for (int i = 0; i < access_count; i++) {
        struct access const *a = &accesses[i];
        void (*other)(void) = a->kind == 'r' ? write_byte : read_byte;
        if (!a->possible || a->size == 0) continue;
        for (int where = 0; where < 4; where++) {
            place = m + a->first + (where & 1 ? a->size - 1 : 0);
            int found = where & 2 ? races_in_child(other, a->access) : races_in_child(a->access, other);
            if (found) continue;
            fprintf(stderr, "%s: the %s byte, %s\n", a->name, where & 1 ? "last" : "first",
                    where & 2 ? "after" : "before");
            missed++;
        }
    }
    return missed ? 1 : 66;
}
