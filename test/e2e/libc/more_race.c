/* What few programs use: each access to memory is seen. */
// FLAGS: -D_GNU_SOURCE -D__NO_INLINE__ -fno-builtin -Wno-deprecated-declarations -Wno-format -lm
// ENV: DEADHEAT_OPTIONS=symbolize=0
// LEVELS: -O1
#define RACES 1
#include "more_cases.h"
