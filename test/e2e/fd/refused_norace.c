/* A call that is refused has read nothing, and one that is cut short has written nothing more than it says. */
// FLAGS: -D_GNU_SOURCE
#include "refused_cases.h"

REFUSED(DEFINE_CALL)
#define CASE(name, make, call)                                                                          \
    static void first_##name(void) { CHECK(call_##name() == -1); }
REFUSED(CASE)

/* Cut short. */
char data_short[SIZE];
static int end_of_file;
static void read_some(void) { CHECK(read(end_of_file, data_short, SIZE) == SIZE - 1); }
static void use_rest(void) { data_short[SIZE - 1] = 1; }

#define LIST(name, make, call) {#name, first_##name, change_##name},
static struct case_pair const pairs[] = {REFUSED(LIST){"cut short", read_some, use_rest}};

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    REFUSED(MAKE_CALL)
    end_of_file = file();
    CHECK(write(end_of_file, data_short, SIZE - 1) == SIZE - 1 && lseek(end_of_file, 0, SEEK_SET) == 0);
    CASES_RUN(pairs, 0);
    return 0;
}
