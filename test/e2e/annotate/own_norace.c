/* A program that brings functions of these names along keeps its own. */
#include "annotate/annotations.h"

static int calls;
void AnnotateHappensBefore(char const *file, int line, void const volatile *p) {
    (void)file, (void)line, (void)p;
    calls++;
}
int RunningOnValgrind(void) { return 7; }

int main(void) {
    AnnotateHappensBefore(HERE, &calls);
    CHECK(calls == 1 && RunningOnValgrind() == 7);
    return 0;
}
