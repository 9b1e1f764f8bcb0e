/* _exit, as far as a recorded run is concerned: its tape is to be whole (rt/tape.h). Nothing else
 * happens at such an end, in particular no summary and no change of the exit status. */
#include "rt/intercept/intercept.h"
#include "rt/tape.h"

#include <stdlib.h>
#include <unistd.h>

INTERCEPT(void, _exit, (int status)) {
    dh_report_tape_end();
    REAL(_exit)(status);
    __builtin_unreachable();
}

INTERCEPT(void, _Exit, (int status)) {
    dh_report_tape_end();
    REAL(_Exit)(status);
    __builtin_unreachable();
}
