/* atomic_flag is written by setting and by clearing it, whether that changes it or not. */
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "access/cases.h"

#include <stdatomic.h>

static atomic_flag set = ATOMIC_FLAG_INIT, cleared = ATOMIC_FLAG_INIT;
char volatile value;

static void set_it(void) { atomic_flag_test_and_set(&set); }
static void read_set(void) { value = *(char volatile *)&set; }
static void clear_it(void) { atomic_flag_clear(&cleared); }
static void read_cleared(void) { value = *(char volatile *)&cleared; }

static struct case_pair const pairs[] = {
    {"set", set_it, read_set},
    {"clear", clear_it, read_cleared},
};

int main(void) {
    CASES_RUN(pairs, 1);
    return 0;
}
