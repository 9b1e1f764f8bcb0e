/* A check in another function is none where that is not sure to have been made just before (summaries.h).
 *
 * EXPECT: by_pointer
 * EXPECT: as_thread
 * EXPECT: as_handler
 * EXPECT: by_alias|another_name
 * EXPECT: by_old_style
 * EXPECT: from_unchecked
 * EXPECT: in_callee
 * EXPECT: behind_release
 * EXPECT: beside
 * EXPECT: in_recursion
 * EXPECT: behind_jump
 * EXPECT: behind_first
 * EXPECT: behind_perhaps
 * EXPECT: behind_free
 * EXPECT: before_jump */
#include "summaries.h"

/* What came before is ordered, by this; what comes after is not. */
static APART void middle(int i) { atomic_store_explicit(&released[i], 1, memory_order_release); }

static void *first(void *i) {
    run_case(*(int *)i);
    step();
    return NULL;
}

static void *second(void *i) {
    step();
    atomic_load_explicit(&released[*(int *)i], memory_order_acquire);
    x[*(int *)i][0] = 2;
    return NULL;
}

int main(void) {
    for (int i = 0; i < CASES; i++) {
        steps(2);
        pthread_t a = spawn(first, &i), b = spawn(second, &i);
        join(a);
        join(b);
    }
    return 0;
}
