/* A program that becomes another one, with nothing to say about it.
 * FLAGS: -D_GNU_SOURCE
 */
#include "exec_pending.h"

int main(void) {
    try_execs(1);
    return 0;
}
