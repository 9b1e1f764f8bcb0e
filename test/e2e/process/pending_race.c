/* However the process ends, what other threads have done is looked at. */
#include "pending.h"

int main(void) {
    try_ends(sweep_and_end, 0);
    return 66;
}
