/* Atomics and plain accesses of different widths overlap by their bytes. */
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "access/cases.h"

#include <stdatomic.h>

static _Atomic unsigned long a, b, c, d;
char volatile value;

static char volatile *byte(_Atomic unsigned long *p, int i) { return (char volatile *)p + i; }

static void store(void) { atomic_store(&a, 1); }
static void read_last_byte(void) { value = *byte(&a, 7); }

static void load(void) { value = (char)atomic_load(&b); }
static void write_middle_byte(void) { *byte(&b, 3) = 1; }

static void store_short(void) { atomic_store((_Atomic short *)byte(&c, 2), 1); }
static void write_whole(void) { *(unsigned long volatile *)&c = 1; }

static void read_byte(void) { value = *byte(&d, 5); }
static void modify(void) { atomic_fetch_xor(&d, 0); }

static struct case_pair const pairs[] = {
    {"store 8, read 1", store, read_last_byte},
    {"load 8, write 1", load, write_middle_byte},
    {"store 2, write 8", store_short, write_whole},
    {"read 1, modify 8", read_byte, modify},
};

int main(void) {
    CASES_RUN(pairs, 1);
    return 0;
}
