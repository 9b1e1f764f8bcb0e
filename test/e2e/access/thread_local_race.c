/* A thread-local variable whose address has got about is used without a lock.
 *
 * EXPECT: ^    #0 use .*thread_local.h:34:
 * EXPECT: ^    #0 use .*thread_local.h:35:
 */
#include "thread_local.h"

static int careful(void) { return 0; }
