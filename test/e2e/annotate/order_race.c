/* The reader of a lock is ordered after writers, not after other readers. */
/* EXPECT: Location is global 'shared' of size 4 */
/* EXPECT: Thread T2 'second one' */
#include "annotate/annotations.h"

int shared;
char lock;

static void *first(void *unused) {
    AnnotateRWLockAcquired(HERE, &lock, 0);
    shared = 1;
    AnnotateRWLockReleased(HERE, &lock, 0);
    step();
    return unused;
}

static void *second(void *unused) {
    AnnotateThreadName(HERE, "second one");
    step();
    AnnotateRWLockAcquired(HERE, &lock, 0);
    shared = 2;
    AnnotateRWLockReleased(HERE, &lock, 0);
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
