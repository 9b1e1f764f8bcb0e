/* None of these accesses more than it may. */
// FLAGS: -D_GNU_SOURCE -fno-builtin
// LEVELS: -O1
#include "io_cases.h"
