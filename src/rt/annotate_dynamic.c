/* The annotations of dynamic_annotations.h, which many programs carry in a copy of their own. Each
 * takes the place of the call as its first two parameters, which nobody needs here: stacks say it
 * better. Those that only other detectors need do nothing. A program that has functions of these
 * names keeps its own. */
#include "rt/access.h"
#include "rt/benign.h"
#include "rt/options.h"
#include "rt/state.h"

#define ANNOTATION(name, ...)                                 \
    EXPORT void name(char const *file, int line __VA_ARGS__); \
    void name(__attribute__((unused)) char const *file,       \
              __attribute__((unused)) int line __VA_ARGS__)
#define EXPORT __attribute__((visibility("default"), weak))
#define UNUSED __attribute__((unused))

/* ---- order ---- */

ANNOTATION(AnnotateHappensBefore, , void const volatile *p) { dh_release_join((void const *)p); }
ANNOTATION(AnnotateHappensAfter, , void const volatile *p) { dh_acquire((void const *)p); }
ANNOTATION(WTFAnnotateHappensBefore, , void const volatile *p) { dh_release_join((void const *)p); }
ANNOTATION(WTFAnnotateHappensAfter, , void const volatile *p) { dh_acquire((void const *)p); }

ANNOTATION(AnnotateCondVarSignal, , void const volatile *p) { dh_release_join((void const *)p); }
ANNOTATION(AnnotateCondVarSignalAll, , void const volatile *p) { dh_release_join((void const *)p); }
ANNOTATION(AnnotateCondVarWait, , void const volatile *p, UNUSED void const volatile *lock) {
    dh_acquire((void const *)p);
}

/* A queue: who gets is ordered after all who have put. */
ANNOTATION(AnnotatePCQCreate, , void const volatile *p) { dh_sync_gone((void const *)p); }
ANNOTATION(AnnotatePCQDestroy, , void const volatile *p) { dh_sync_gone((void const *)p); }
ANNOTATION(AnnotatePCQPut, , void const volatile *p) { dh_release_join((void const *)p); }
ANNOTATION(AnnotatePCQGet, , void const volatile *p) { dh_acquire((void const *)p); }

ANNOTATION(AnnotateBarrierInit, , void const volatile *p, UNUSED long count,
           UNUSED long reinitialization_allowed) {
    dh_sync_gone((void const *)p);
}
ANNOTATION(AnnotateBarrierWaitBefore, , void const volatile *p) {
    dh_release_join((void const *)p);
}
ANNOTATION(AnnotateBarrierWaitAfter, , void const volatile *p) { dh_acquire((void const *)p); }
ANNOTATION(AnnotateBarrierDestroy, , void const volatile *p) { dh_sync_gone((void const *)p); }

/* ---- locks ---- */

ANNOTATION(AnnotateRWLockCreate, , void const volatile *p) { dh_sync_gone((void const *)p); }
ANNOTATION(AnnotateRWLockCreateStatic, , UNUSED void const volatile *p) {}
ANNOTATION(AnnotateRWLockDestroy, , void const volatile *p) { dh_sync_gone((void const *)p); }
ANNOTATION(AnnotateRWLockAcquired, , void const volatile *p, long writer) {
    dh_lock_acquired((void const *)p, !writer, DH_HERE);
}
ANNOTATION(AnnotateRWLockReleased, , void const volatile *p, UNUSED long writer) {
    dh_lock_releasing((void const *)p);
}

/* ---- memory ---- */

/* Of a mark without a size: the object is taken to be a word. */
enum { WORD = 8 };

ANNOTATION(AnnotateNewMemory, , void const volatile *p, size_t size) {
    dh_memory_renewed((void const *)p, size, DH_HERE);
}
ANNOTATION(AnnotateBenignRaceSized, , void const volatile *p, size_t size, UNUSED char const *why) {
    dh_benign_add((uintptr_t)p, size);
}
ANNOTATION(WTFAnnotateBenignRaceSized, , void const volatile *p, size_t size,
           UNUSED char const *why) {
    dh_benign_add((uintptr_t)p, size);
}
ANNOTATION(AnnotateBenignRace, , void const volatile *p, UNUSED char const *why) {
    dh_benign_add((uintptr_t)p, WORD);
}
ANNOTATION(AnnotateExpectRace, , void const volatile *p, UNUSED char const *why) {
    dh_benign_add((uintptr_t)p, WORD);
}

/* ---- what not to look at ---- */

/* Reads and writes are ignored together, as by ThreadSanitizer. */
ANNOTATION(AnnotateIgnoreReadsBegin) { dh_ignore_begin(); }
ANNOTATION(AnnotateIgnoreReadsEnd) { dh_ignore_end(); }
ANNOTATION(AnnotateIgnoreWritesBegin) { dh_ignore_begin(); }
ANNOTATION(AnnotateIgnoreWritesEnd) { dh_ignore_end(); }
ANNOTATION(AnnotateIgnoreSyncBegin) { dh_ignore_sync_begin(); }
ANNOTATION(AnnotateIgnoreSyncEnd) { dh_ignore_sync_end(); }

/* ---- the rest ---- */

ANNOTATION(AnnotateThreadName, , char const *name) {
    if (dh_options.enabled) dh_thread_set_name(dh_self(), name);
}

ANNOTATION(AnnotateEnableRaceDetection, , UNUSED int enable) {}
ANNOTATION(AnnotateFlushExpectedRaces) {}
ANNOTATION(AnnotateFlushState) {}
ANNOTATION(AnnotateMemoryIsInitialized, , UNUSED void const volatile *p, UNUSED size_t size) {}
ANNOTATION(AnnotateMemoryIsUninitialized, , UNUSED void const volatile *p, UNUSED size_t size) {}
ANNOTATION(AnnotateMutexIsNotPHB, , UNUSED void const volatile *p) {}
ANNOTATION(AnnotateMutexIsUsedAsCondVar, , UNUSED void const volatile *p) {}
ANNOTATION(AnnotateNoOp, , UNUSED void const volatile *p) {}
ANNOTATION(AnnotatePublishMemoryRange, , UNUSED void const volatile *p, UNUSED size_t size) {}
ANNOTATION(AnnotateUnpublishMemoryRange, , UNUSED void const volatile *p, UNUSED size_t size) {}
ANNOTATION(AnnotateTraceMemory, , UNUSED void const volatile *p) {}

EXPORT int RunningOnValgrind(void) { return 0; }
EXPORT double ValgrindSlowdown(void) { return 1; }
/* "Does this detector go by happens-before alone?" and other questions. */
EXPORT char const *ThreadSanitizerQuery(char const *question) {
    return dh_same_text(question, "pure_happens_before") ? "1" : "0";
}
