/* Whoever becomes another program has its own accesses looked at before.
 * FLAGS: -D_GNU_SOURCE
 */
#include "exec_pending.h"

int main(void) {
    try_execs(0);
    return 66;
}
