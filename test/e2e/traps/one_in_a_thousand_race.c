/* A race that happens is reported in every run, not in nearly every one. */
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "one_in_a_thousand.h"

static void *body(void *unused) {
    shared = 1;
    return unused;
}

int main(void) {
    for (int i = 0; i < ROUNDS; i++)
        CHECK(status_of(body) == 66);
    return 66;
}
