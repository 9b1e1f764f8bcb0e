/* paths_cases.h with _FORTIFY_SOURCE: nothing more than that is accessed. */
// FLAGS: -D_GNU_SOURCE -D_FORTIFY_SOURCE=2 -Wno-format -Wno-deprecated-declarations
// LEVELS: -O2
#include "paths_cases.h"
