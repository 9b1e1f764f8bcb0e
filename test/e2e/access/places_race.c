/* Memory of every origin: two threads that write it at once are seen. */
// FLAGS: -D_GNU_SOURCE
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "places.h"
#include "access/cases.h"

static int *place;

/* Every case has code of its own, or its report would be folded into another's. */
#define DEFINE(name, at)                                                                                \
    static void first_##name(void) { *place = 1; }                                                      \
    static void second_##name(void) { *place = 2; }
PLACES(DEFINE)

int main(void) {
    int array[10], missed = 0;
    pthread_t lender = lender_start();
#define TRY(name, at)                                                                                   \
    place = at;                                                                                         \
    if (!case_races(first_##name, second_##name)) fprintf(stderr, "%s is missed\n", #name), missed++;
    PLACES(TRY)
    lender_end(lender);
    CHECK(missed == 0);
    return 0;
}
