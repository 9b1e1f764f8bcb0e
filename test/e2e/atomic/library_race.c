/* What the compiler leaves to libatomic is seen: the object, all its bytes, as an atomic access; the
 * operands as plain ones. */
// FLAGS: -Wno-atomic-alignment
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "access/cases.h"

#include <stdbool.h>

struct large {
    char bytes[40];
};

static struct large a, b, c, d, e;
static struct large value, value_too;
struct large result;
int data;
char volatile byte;

static void store(void) {
    struct large local = {{0}};
    __atomic_store(&a, &local, __ATOMIC_SEQ_CST);
}
static void read_last_byte(void) { byte = *(char volatile *)&a.bytes[39]; }

static void load(void) {
    struct large local;
    __atomic_load(&b, &local, __ATOMIC_SEQ_CST);
}
static void write_middle_byte(void) { *(char volatile *)&b.bytes[20] = 1; }

/* The operand, not the object. */
static void store_value(void) { __atomic_store(&c, &value, __ATOMIC_SEQ_CST); }
static void write_value(void) { *(char volatile *)&value.bytes[30] = 1; }

static void load_result(void) { __atomic_load(&c, &result, __ATOMIC_SEQ_CST); }
static void read_result(void) { byte = *(char volatile *)&result.bytes[30]; }

static void fail_to_exchange(void) {
    struct large other = {{1}};
    CHECK(!__atomic_compare_exchange(&d, &value_too, &other, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}
static void read_expected(void) { byte = *(char volatile *)&value_too.bytes[30]; }

static void send(void) {
    struct large local = {{1}};
    data = 1;
    __atomic_store(&e, &local, __ATOMIC_RELAXED);
}
static void receive(void) {
    struct large local;
    __atomic_load(&e, &local, __ATOMIC_ACQUIRE);
    data++;
}

static struct case_pair const pairs[] = {
    {"store, read", store, read_last_byte},
    {"load, write", load, write_middle_byte},
    {"value of a store", store_value, write_value},
    {"result of a load", load_result, read_result},
    {"expected value", fail_to_exchange, read_expected},
    {"relaxed message", send, receive},
};

int main(void) {
    d.bytes[0] = 1;
    CASES_RUN(pairs, 1);
    return 0;
}
