/* The bytes that a call sends are read. */
// FLAGS: -D_GNU_SOURCE
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "refused_cases.h"

TAKEN(DEFINE_CALL)
#define CASE(name, make, call)                                                                          \
    static void first_##name(void) { CHECK(call_##name() == SIZE); }
TAKEN(CASE)

#define LIST(name, make, call) {#name, first_##name, change_##name},
static struct case_pair const pairs[] = {TAKEN(LIST)};

int main(void) {
    TAKEN(MAKE_CALL)
    CASES_RUN(pairs, 1);
    return 0;
}
