/* The writer comes behind the reads of both. */
#include "fiber/tables.h"

static void run_second(void) {
    gather_second(array);
    __tsan_release(&order);
    go(&second, &first);
    abort();
}

int main(void) {
    run_fibers(run_second);
    return 0;
}
