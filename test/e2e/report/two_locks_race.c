/* Several locks on one side, none on the other.
 * EXPECT: ^  Write of size 4 .* by thread T2:$
 * EXPECT: ^  Previous write of size 4 .* by thread T1 \(holding locks M[0-9]+ \(write\), M[0-9]+ \(write\)\):$
 * EXPECT: ^  The two sides share no lock\.$
 * EXPECT: ^  Lock M[0-9]+ 'outer' at
 * EXPECT: ^  Lock M[0-9]+ 'inner' at
 */
#include "test.h"

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void *first(void *unused) {
    (void)unused;
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    shared = 1;
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    shared = 2;
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
