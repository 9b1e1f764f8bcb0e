/* Wide strings: nothing more than that is accessed. */
// FLAGS: -D_GNU_SOURCE -fno-builtin -Wno-deprecated-declarations -Wno-format 
// LEVELS: -O1
#include "wide_cases.h"
