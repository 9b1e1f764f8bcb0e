/* Each side holds a lock, but not the same: both are named, with where they were taken.
 * EXPECT: ^  Write of size 4 at 0x[0-9a-f]+ by thread T2 \(holding lock M[0-9]+ \(write\)\):$
 * EXPECT: ^  Previous write of size 4 at 0x[0-9a-f]+ by thread T1 \(holding lock M[0-9]+ \(write\)\):$
 * EXPECT: ^  The two sides share no lock\.$
 * EXPECT: ^  Lock M[0-9]+ 'first_lock' at 0x[0-9a-f]+ taken by thread T1 at:$
 * EXPECT: ^  Lock M[0-9]+ 'second_lock' at 0x[0-9a-f]+ taken by thread T2 at:$
 * EXPECT: ^    #[01] first .*locks_race\.c:18:
 * EXPECT: ^    #[01] second .*locks_race\.c:28:
 */
#include "test.h"

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER, second_lock = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void *first(void *unused) {
    (void)unused;
    pthread_mutex_lock(&first_lock);
    shared = 1;
    pthread_mutex_unlock(&first_lock);
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    pthread_mutex_lock(&second_lock);
    shared = 2;
    pthread_mutex_unlock(&second_lock);
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
