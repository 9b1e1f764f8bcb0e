/* No function accesses a byte more than it may: another thread writes all the others meanwhile, and reads
 * those that are only read. */
// FLAGS: -D_GNU_SOURCE -fno-builtin -Wno-deprecated-declarations
#include "string_cases.h"

static struct test const *now;
static int bytes;

enum { READ = 1, WRITTEN = 2 };

static int use_of(char const *p) {
    int use = 0;
    for (int i = 0; i < SPANS; i++) {
        struct span const *s = &now->spans[i];
        if (s->at && p >= s->at + s->from && p < s->at + s->from + s->size) use |= s->write ? WRITTEN : READ;
    }
    return use;
}

static void *call(void *unused) {
    now->call();
    step();
    return unused;
}

static void *use_the_rest(void *unused) {
    step();
    for (char volatile *p = (char *)&m; p < (char *)(&m + 1); p++) {
        int use = use_of((char *)p);
        if (use == 0) *p = 1;
        if (use == READ) bytes += *p;
    }
    return unused;
}

int main(void) {
    for (int i = 0; i < TESTS; i++) {
        now = &tests[i];
        prepare(now);
        run_two(call, use_the_rest);
    }
    return 0;
}
