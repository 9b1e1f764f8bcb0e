/* Attributes, and how long a wait may last: nothing more than that is accessed. */
// FLAGS: -D_GNU_SOURCE -D__NO_INLINE__ -fno-builtin -Wno-deprecated-declarations -Wno-format
// LEVELS: -O1
#include "attributes_cases.h"
