/* A list is not to be freed while another thread reads it, though it is libc that frees. */
// FLAGS: -D_GNU_SOURCE -Wno-deprecated-declarations
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "lists.h"

#define LIST(name, use, end) {#name, use_##name, end_##name},
static struct case_pair const pairs[] = {LISTS(LIST)};

int main(void) {
    make_lists();
    CASES_RUN(pairs, 1);
    return 0;
}
