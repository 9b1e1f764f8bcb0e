/* All sixteen bytes count: a plain access to the upper half of an atomic is a race like any other. */
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "access/cases.h"

#include <stdatomic.h>

typedef unsigned __int128 wide;

static _Atomic wide a, b, c, d;
wide volatile value;

static unsigned long volatile *upper(_Atomic wide *p) { return (unsigned long volatile *)p + 1; }

static void store(void) { atomic_store(&a, 1); }
static void read_upper(void) { value = *upper(&a); }

static void load(void) { value = atomic_load(&b); }
static void write_upper(void) { *upper(&b) = 1; }

static void modify(void) { atomic_fetch_add(&c, 1); }
static void write_last_byte(void) { ((char volatile *)&c)[15] = 1; }

static void write_first_byte(void) { *(char volatile *)&d = 1; }
static void exchange(void) { atomic_exchange(&d, 1); }

static struct case_pair const pairs[] = {
    {"store, read", store, read_upper},
    {"load, write", load, write_upper},
    {"modify, write", modify, write_last_byte},
    {"write, exchange", write_first_byte, exchange},
};

int main(void) {
    CASES_RUN(pairs, 1);
    return 0;
}
