/* However the process ends, it ends as it would have. */
#include "pending.h"

int main(void) {
    try_ends(sweep_and_end, 1);
    return 0;
}
