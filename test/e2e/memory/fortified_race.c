/* The checked forms that _FORTIFY_SOURCE brings in: each is seen. */
// FLAGS: -D_GNU_SOURCE -D_FORTIFY_SOURCE=2
// LEVELS: -O2
// ENV: DEADHEAT_OPTIONS=symbolize=0
#define FORTIFIED_ORDERED 0
#include "fortified.h"
