/* The writer does not come behind the second fiber's reads.
 *
 * EXPECT: #0 gather_second
 * EXPECT: ^deadheat: 1 race reported */
#include "fiber/tables.h"

static void run_second(void) {
    gather_second(array);
    go(&second, &first);
    abort();
}

int main(void) {
    run_fibers(run_second);
    return 0;
}
