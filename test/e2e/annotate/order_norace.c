/* Order that annotations tell of, each for a variable of its own. */
#include "annotate/annotations.h"

int by_event, by_signal, by_queue, by_lock, read_by_lock;
char event, signal_, queue, lock;

static void *first(void *unused) {
    by_event = 1;
    AnnotateHappensBefore(HERE, &event);
    by_signal = 1;
    AnnotateCondVarSignal(HERE, &signal_);
    by_queue = 1;
    AnnotatePCQPut(HERE, &queue);
    AnnotateRWLockCreate(HERE, &lock);
    AnnotateRWLockAcquired(HERE, &lock, 1);
    by_lock = 1;
    AnnotateRWLockReleased(HERE, &lock, 1);
    AnnotateRWLockAcquired(HERE, &lock, 0);
    by_lock += read_by_lock;
    AnnotateRWLockReleased(HERE, &lock, 0);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    AnnotateHappensAfter(HERE, &event);
    by_event++;
    AnnotateCondVarWait(HERE, &signal_, 0);
    by_signal++;
    AnnotatePCQGet(HERE, &queue);
    by_queue++;
    AnnotateRWLockAcquired(HERE, &lock, 1);
    read_by_lock = ++by_lock;
    AnnotateRWLockReleased(HERE, &lock, 1);
    AnnotateRWLockDestroy(HERE, &lock);
    AnnotateFlushState(HERE);
    AnnotateMutexIsNotPHB(HERE, &lock);
    AnnotatePublishMemoryRange(HERE, &event, 1);
    AnnotateEnableRaceDetection(HERE, 1);
    CHECK(RunningOnValgrind() == 0);
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
