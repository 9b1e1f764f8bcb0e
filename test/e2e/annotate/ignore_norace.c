/* Accesses that are ignored, races that are wanted, memory that is new. */
#include "annotate/annotations.h"

int ignored, wanted[4], word;
static char pool[64];

static void *first(void *unused) {
    AnnotateIgnoreWritesBegin(HERE);
    AnnotateIgnoreReadsBegin(HERE);
    ignored++;
    AnnotateIgnoreReadsEnd(HERE);
    AnnotateIgnoreWritesEnd(HERE);
    wanted[0] = wanted[3] = 1;
    word = 1;
    pool[5] = 1;
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    ignored++;
    wanted[0]++;
    wanted[3]++;
    word++;
    AnnotateNewMemory(HERE, pool, sizeof pool);
    pool[5]++;
    return unused;
}

int main(void) {
    AnnotateBenignRaceSized(HERE, wanted, sizeof wanted, "a test");
    AnnotateBenignRace(HERE, &word, "a test");
    run_two(first, second);
    return 0;
}
