/* What comes after an ignored region, or beside a benign one, is looked at. */
/* EXPECT: Location is global 'after' */
/* EXPECT: Location is global 'beside' */
/* EXPECT: 2 races reported */
#include "annotate/annotations.h"

int after;
int beside[2];

static void *first(void *unused) {
    AnnotateIgnoreWritesBegin(HERE);
    AnnotateIgnoreWritesEnd(HERE);
    after = 1;
    beside[0] = beside[1] = 1;
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    after = 2;
    beside[0] = 2;
    beside[1] = 2;
    return unused;
}

int main(void) {
    AnnotateBenignRaceSized(HERE, beside, sizeof beside[0], "a test");
    run_two(first, second);
    return 0;
}
