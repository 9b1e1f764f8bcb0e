/* wide_cases.h with _FORTIFY_SOURCE: each access to memory is seen. */
// FLAGS: -D_GNU_SOURCE -D_FORTIFY_SOURCE=2 -Wno-format -Wno-deprecated-declarations
// ENV: DEADHEAT_OPTIONS=symbolize=0
// LEVELS: -O2
#define RACES 1
#include "wide_cases.h"
