/* A failed try orders nothing, and neither do two readers; the accesses are told by ranges. */
/* EXPECT: Write of size 16 at .* by thread T2 */
/* EXPECT: Previous write of size 4 at .* by thread T1 */
/* EXPECT: M1 .*read */
#include "annotate/mutex.h"

static struct mutex mutex;
int shared[4];

static void *first(void *unused) {
    CHECK(mutex_try(&mutex, __tsan_mutex_read_lock));
    __tsan_write4(&shared[1]);
    mutex_unlock(&mutex, __tsan_mutex_read_lock);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    CHECK(mutex_try(&mutex, __tsan_mutex_read_lock));
    CHECK(!mutex_try(&mutex, 0)); /* no order by this one */
    __tsan_write_range(shared, sizeof shared);
    mutex_unlock(&mutex, __tsan_mutex_read_lock);
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
