/* Regular expressions, and the patterns of the shell: each access to memory is seen. */
// FLAGS: -D_GNU_SOURCE -D__NO_INLINE__ -fno-builtin -Wno-deprecated-declarations -Wno-format
// ENV: DEADHEAT_OPTIONS=symbolize=0
// LEVELS: -O1
#define RACES 1
#include "patterns_cases.h"
