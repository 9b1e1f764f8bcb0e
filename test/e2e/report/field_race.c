/* A field of a struct in a heap block, by its name, in both accesses.
 * EXPECT: ^  Write of size 4 at 0x[0-9a-f]+ \(struct account\.history\.last\) by thread T2:$
 * EXPECT: ^  Previous write of size 4 at 0x[0-9a-f]+ \(struct account\.history\.last\) by thread T1:$
 * EXPECT: ^  Location is heap block of size 32 at 0x[0-9a-f]+, offset 12,
 */
#include "test.h"

struct account {
    long balance;
    struct { int first, last; } history;
    char name[16];
};
struct account *account;

static void *first(void *unused) {
    (void)unused;
    account->history.last = 1;
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    account->history.last = 2;
    return NULL;
}

int main(void) {
    account = calloc(1, sizeof *account);
    run_two(first, second);
    printf("%d\n", account->history.last);
    return 0;
}
