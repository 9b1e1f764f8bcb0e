/* What few programs use: nothing more than that is accessed. */
// FLAGS: -D_GNU_SOURCE -D__NO_INLINE__ -fno-builtin -Wno-deprecated-declarations -Wno-format -lm
// LEVELS: -O1
#include "more_cases.h"
