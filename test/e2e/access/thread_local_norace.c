/* A thread-local variable whose address has got about is used under a lock. */
#include "thread_local.h"

static int careful(void) { return 1; }
