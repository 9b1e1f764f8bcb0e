/* Each access of these to memory is seen. */
// FLAGS: -D_GNU_SOURCE -fno-builtin
// ENV: DEADHEAT_OPTIONS=symbolize=0
// LEVELS: -O1
#define RACES 1
#include "io_cases.h"
