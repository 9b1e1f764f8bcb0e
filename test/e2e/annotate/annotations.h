/* The annotations of dynamic_annotations.h, as programs declare them. */
#ifndef DEADHEAT_TEST_ANNOTATIONS_H
#define DEADHEAT_TEST_ANNOTATIONS_H

#include "test.h"

void AnnotateHappensBefore(char const *file, int line, void const volatile *p);
void AnnotateHappensAfter(char const *file, int line, void const volatile *p);
void AnnotateCondVarSignal(char const *file, int line, void const volatile *p);
void AnnotateCondVarWait(char const *file, int line, void const volatile *p, void const volatile *lock);
void AnnotatePCQPut(char const *file, int line, void const volatile *p);
void AnnotatePCQGet(char const *file, int line, void const volatile *p);
void AnnotateRWLockCreate(char const *file, int line, void const volatile *p);
void AnnotateRWLockDestroy(char const *file, int line, void const volatile *p);
void AnnotateRWLockAcquired(char const *file, int line, void const volatile *p, long writer);
void AnnotateRWLockReleased(char const *file, int line, void const volatile *p, long writer);
void AnnotateIgnoreReadsBegin(char const *file, int line);
void AnnotateIgnoreReadsEnd(char const *file, int line);
void AnnotateIgnoreWritesBegin(char const *file, int line);
void AnnotateIgnoreWritesEnd(char const *file, int line);
void AnnotateIgnoreSyncBegin(char const *file, int line);
void AnnotateIgnoreSyncEnd(char const *file, int line);
void AnnotateBenignRaceSized(char const *file, int line, void const volatile *p, size_t size, char const *why);
void AnnotateBenignRace(char const *file, int line, void const volatile *p, char const *why);
void AnnotateNewMemory(char const *file, int line, void const volatile *p, size_t size);
void AnnotateThreadName(char const *file, int line, char const *name);
void AnnotateFlushState(char const *file, int line);
void AnnotateMutexIsNotPHB(char const *file, int line, void const volatile *p);
void AnnotatePublishMemoryRange(char const *file, int line, void const volatile *p, size_t size);
void AnnotateEnableRaceDetection(char const *file, int line, int enable);
int RunningOnValgrind(void);

#define HERE __FILE__, __LINE__

#endif
