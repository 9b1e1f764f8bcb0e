/* A local variable of one thread that another was given: its name, its function, its thread.
 * LEVELS: -O0
 * EXPECT: ^  Location is local variable 'result' of size 4 at 0x[0-9a-f]+, in function main, declared at .*stack_race\.c:17, on the stack of main thread\.$
 */
#include "test.h"

static void *fill(void *result) {
    *(int *)result = 1;
    step();
    step();
    return NULL;
}

int main(void) {
    steps(2);
    long before = 1;
    int result = 0;
    long after = 2;
    pthread_t other = spawn(fill, &result);
    step();
    result = 2;
    step();
    join(other);
    return result != 2 || before + after != 3;
}
