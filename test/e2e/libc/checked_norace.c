/* What _FORTIFY_SOURCE makes of some calls, and clang does not of all of them: nothing more than that is accessed. */
// FLAGS: -D_GNU_SOURCE -D__NO_INLINE__ -fno-builtin -Wno-deprecated-declarations -Wno-format
// LEVELS: -O1
#include "checked_cases.h"
