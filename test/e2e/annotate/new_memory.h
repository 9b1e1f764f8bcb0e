/* Memory that is new, and begins and ends in the middle of eight bytes; or lies inside of eight. */
#include "annotate/annotations.h"

enum { FROM = 5, SIZE = 14, TO = FROM + SIZE, INSIDE = 34, FEW = 3 };
_Alignas(8) char pool[40];

static void renew(void) {
    AnnotateNewMemory(HERE, pool + FROM, SIZE);
    AnnotateNewMemory(HERE, pool + INSIDE, FEW);
}
