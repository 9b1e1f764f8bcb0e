/* Every read-modify-write does what it says, and two of them have no quarrel. */
// FLAGS: -Wno-atomic-alignment -Wno-sync-fetch-and-nand-semantics-changed
#include "access/cases.h"
#include "operations.h"

#define DEFINE(name, T, before, operation, after)                                                       \
    static T word_##name = before;                                                                      \
    static void operate_##name(void) {                                                                  \
        T *p = &word_##name;                                                                            \
        operation;                                                                                      \
    }                                                                                                   \
    static bool right_##name(void) { return word_##name == (after); }
OPERATIONS(DEFINE)

static struct {
    char const *name;
    void (*operate)(void);
    bool (*right)(void);
} const operations[] = {
#define LIST(name, T, before, operation, after) {#name, operate_##name, right_##name},
    OPERATIONS(LIST)
};
enum { COUNT = sizeof operations / sizeof *operations };

static void *operate_all(void *unused) {
    for (int i = 0; i < COUNT; i++)
        operations[i].operate();
    return unused;
}

/* In a thread of its own: before there is one, nothing is recorded. */
static void *check_values(void *unused) {
    int wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        operations[i].operate();
        if (operations[i].right()) continue;
        fprintf(stderr, "%s: wrong value\n", operations[i].name);
        wrong++;
    }
    CHECK(wrong == 0);
    return unused;
}

int main(void) {
    join(spawn(check_values, NULL));
    run_two(operate_all, operate_all);
    return 0;
}
