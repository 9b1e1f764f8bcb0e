/* What is said is read. */
// FLAGS: -D_GNU_SOURCE -Wno-format
#include "last_words.h"

/* One that is seen here: what the others report goes nowhere. */
char seen;
static void *sees(void *unused) {
    seen = 1;
    step();
    return unused;
}
static void *sees_too(void *unused) {
    step();
    seen = 2;
    return unused;
}

int main(void) {
    for (int i = 0; i < WAYS; i++)
        CHECK(status_of(last_words[i], 0) == 66);
    run_two(sees, sees_too);
    return 0;
}
