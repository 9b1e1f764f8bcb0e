/* A free is a write to all of the block: a use far from its start races with it, before and after. */
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "access/cases.h"

#include <malloc.h>

static char volatile *blocks[6];
static size_t const sizes[6] = {4000, 4000, 1 << 20, 1 << 20, 5 << 20, 5 << 20};

/* Every case has code of its own, or its report would be folded into another's. */
#define CASES(X) X(0, 2048) X(2, 300000) X(4, (4 << 20) + 13)

#define DEFINE(n, at)                                                                                   \
    static void use_##n(void) { blocks[n][at] = 1; }                                                    \
    static void free_##n(void) { free((void *)blocks[n]); }                                             \
    static void free_first_##n(void) { free((void *)blocks[n + 1]); }                                   \
    static void use_late_##n(void) { blocks[n + 1][at] = 1; }
CASES(DEFINE)

#define LIST(n, at)                                                                                     \
    {"used " #at ", then freed", use_##n, free_##n},                                                    \
    {"freed, then used " #at, free_first_##n, use_late_##n},
static struct case_pair const pairs[] = {CASES(LIST)};

int main(void) {
    mallopt(M_MMAP_MAX, 0); /* freed memory is used: it must stay */
    mallopt(M_TRIM_THRESHOLD, 100 << 20);
    for (int i = 0; i < 6; i++)
        blocks[i] = malloc(sizes[i]);
    CASES_RUN(pairs, 1);
    return 0;
}
