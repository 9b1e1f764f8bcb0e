/* Three hundred live threads with one race each: all are reported. */
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "live_slots.h"

static void *run(void *number) {
    long i = (long)number;
    writes[i](i);
    step();
    writes[i](i + 1);
    step();
    return NULL;
}

int main(void) {
    run_all(run);
    CHECK(deadheat_race_count() == THREADS);
    return 0;
}
