/* The checked forms that _FORTIFY_SOURCE brings in, under a mutex. */
// FLAGS: -D_GNU_SOURCE -D_FORTIFY_SOURCE=2
// LEVELS: -O2
#define FORTIFIED_ORDERED 1
#include "fortified.h"
