/* A thread that was made behind the runtime's back, and is the first beside main: from its first access on both are
 * checked.
 * EXPECT: ^  Write of size 4 at .* by main thread:$
 */
#include "threads/unknown.h"

int shared;

static void *write_it(void *unused) {
    shared = 1;
    step();
    return unused;
}

int main(void) {
    steps(2);
    pthread_t thread = spawn_unknown(write_it);
    step();
    shared = 2;
    join(thread);
    return 0;
}
