#include "core/clock.h"

/* Both loops have no early exit, so that the compiler can use vector instructions. */

bool dh_ticks_join(dh_tick *into, dh_tick const *from, uint32_t size) {
    dh_tick learnt = 0;
    for (uint32_t s = 0; s < size; s++) {
        dh_tick newer = from[s] > into[s] ? from[s] : into[s];
        learnt |= newer ^ into[s];
        into[s] = newer;
    }
    return learnt != 0;
}

bool dh_ticks_within(dh_tick const *from, dh_tick const *into, uint32_t size) {
    bool beyond = false;
    for (uint32_t s = 0; s < size; s++)
        beyond |= from[s] > into[s];
    return !beyond;
}
