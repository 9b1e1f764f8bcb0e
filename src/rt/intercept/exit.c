/* _exit, and quick_exit: what is pending is checked, and a recorded run's tape is to be whole
 * (rt/tape.h). Nothing else happens at such an end, in particular no summary and no change of the
 * exit status. */
#include "rt/ending.h"
#include "rt/intercept/intercept.h"
#include "rt/tape.h"

#include <stdlib.h>
#include <unistd.h>

void dh_exit_quickly(void) {
    dh_ending();
    dh_report_tape_end();
}

INTERCEPT(void, _exit, (int status)) {
    dh_exit_quickly();
    REAL(_exit)(status);
    __builtin_unreachable();
}

INTERCEPT(void, _Exit, (int status)) {
    dh_exit_quickly();
    REAL(_Exit)(status);
    __builtin_unreachable();
}
