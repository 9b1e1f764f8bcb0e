/* An atomic object of three bytes may be in two cells, also where its address is a multiple of three. */
// FLAGS: -Wno-atomic-alignment
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "access/cases.h"

#include <stdint.h>

enum { CELL = 8 };
struct three {
    char bytes[3];
};
static char memory[64];
static struct three *object;
char volatile byte;

static void store(void) {
    struct three local = {{0}};
    __atomic_store(object, &local, __ATOMIC_RELAXED);
}
static void *store_before(void *unused) {
    store();
    return unused;
}
static void read_last_byte(void) { byte = *(char volatile *)&object->bytes[2]; }

static struct case_pair const pairs[] = {{"last byte", store, read_last_byte}};

int main(void) {
    char *p = memory;
    while ((uintptr_t)p % CELL != CELL - 2 || (uintptr_t)p % 3 != 0)
        p++;
    object = (struct three *)p;
    join(spawn(store_before, NULL));
    CASES_RUN(pairs, 1);
    return 0;
}
