/* Every read-modify-write is seen to write: a plain read of the first byte is a race. */
// FLAGS: -Wno-atomic-alignment -Wno-sync-fetch-and-nand-semantics-changed
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "access/cases.h"
#include "operations.h"

char volatile value;

#define DEFINE(name, T, before, operation, after)                                                       \
    static T word_##name = before;                                                                      \
    static void operate_##name(void) {                                                                  \
        T *p = &word_##name;                                                                            \
        operation;                                                                                      \
    }                                                                                                   \
    static void read_##name(void) { value = *(char volatile *)&word_##name; }
OPERATIONS(DEFINE)

static struct case_pair const pairs[] = {
#define LIST(name, T, before, operation, after) {#name, operate_##name, read_##name},
    OPERATIONS(LIST)
};

int main(void) {
    CASES_RUN(pairs, 1);
    return 0;
}
