/* stdio: nothing more than that is accessed. */
// FLAGS: -D_GNU_SOURCE -fno-builtin -Wno-format
// LEVELS: -O1
#include "stdio_cases.h"
