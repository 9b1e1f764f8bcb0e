// What was compiled also runs: against a stub of the runtime that records which slow exits are taken.
// RUN: clang -O2 -I %src -c %S/Inputs/stub.c -o %t.stub.o
// RUN: for o in 0 1 2 3; do %dhcc -O$o -I %S/Inputs %s %t.stub.o -o %t && %t || exit 1; done
// RUN: %dhcc -O2 -fno-pie -no-pie -I %S/Inputs %s %t.stub.o -o %t && %t
#include "stub.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUIET __attribute__((no_sanitize("thread")))
static int failures;
static QUIET void expect(int line, char const *wanted) {
    char const *taken = stub_taken();
    if (strcmp(taken, wanted) == 0) return;
    printf("%s:%d: expected \"%s\", got \"%s\"\n", __FILE__, line, wanted, taken);
    failures++;
}
#define EXPECT(wanted) expect(__LINE__, wanted)

static _Alignas(64) char memory[64];
static void clear(void) { stub_forget(memory, sizeof memory); }

// The accesses, kept out of the tests' way.
#define ACCESS __attribute__((noinline)) void
ACCESS w1(int at) { *(char volatile *)(memory + at) = 1; }
ACCESS w2(int at) { *(short volatile *)(memory + at) = 1; }
ACCESS w4(int at) { *(int volatile *)(memory + at) = 1; }
ACCESS w8(int at) { *(long volatile *)(memory + at) = 1; }
ACCESS w16(int at) { *(__int128 volatile *)(memory + at) = 1; }
ACCESS r1(int at) { (void)*(char volatile *)(memory + at); }
ACCESS r2(int at) { (void)*(short volatile *)(memory + at); }
ACCESS r4(int at) { (void)*(int volatile *)(memory + at); }
ACCESS r8(int at) { (void)*(long volatile *)(memory + at); }
ACCESS r16(int at) { (void)*(__int128 volatile *)(memory + at); }
typedef struct __attribute__((packed)) { short x; } u2;
typedef struct __attribute__((packed)) { int x; } u4;
typedef struct __attribute__((packed)) { long x; } u8;
ACCESS w2u(int at) { ((u2 volatile *)(memory + at))->x = 1; }
ACCESS w4u(int at) { ((u4 volatile *)(memory + at))->x = 1; }
ACCESS w8u(int at) { ((u8 volatile *)(memory + at))->x = 1; }
ACCESS r2u(int at) { (void)((u2 volatile *)(memory + at))->x; }
ACCESS r4u(int at) { (void)((u4 volatile *)(memory + at))->x; }
ACCESS r8u(int at) { (void)((u8 volatile *)(memory + at))->x; }

// The second time is free; what is within it is free; its neighbours are not.
static void test_aligned(void) {
    clear();
    w4(8), w4(8), EXPECT("w4 ");
    w1(8), w1(11), w2(8), w2(10), EXPECT("");
    w1(7), w1(12), EXPECT("w1 w1 ");
    w4(12), EXPECT("w4 ");
    w8(8), EXPECT("");
    w8(16), w8(16), w4(16), w4(20), w2(22), EXPECT("w8 ");
    w16(16), EXPECT("w16 ");
    w16(16), w8(24), EXPECT("");
    r4(8), r4(8), r1(9), EXPECT("r4 ");
    r8(8), r8(8), r4(12), EXPECT("r8 ");
    r16(32), r16(32), r2(46), EXPECT("r16 ");
    w4(32), EXPECT("w4 ");
}

// Bytes of a cell are known one by one.
static void test_bytes(void) {
    clear();
    w1(1), w1(1), EXPECT("w1 ");
    w1(0), w1(2), w1(3), EXPECT("w1 w1 w1 ");
    w4(0), w2(0), w2(2), EXPECT("");
    r1(5), r1(5), EXPECT("r1 ");
    r2(4), EXPECT("r2 ");
    r2(4), r1(4), EXPECT("");
    r4(4), EXPECT("r4 ");
}

// A set that holds the epoch is as good, for reads.
static void test_readset(void) {
    clear();
    stub_share(memory, 32);
    r1(1), r2(2), r4(4), r8(8), r16(16), r4u(5), r8u(9), r2u(3), EXPECT("");
    w4(4), EXPECT("w4 ");
    r8(32), EXPECT("r8 ");
}

// Unaligned: free once all cells that it touches are full.
static void test_unaligned(void) {
    clear();
    w4u(5), EXPECT("w4u ");
    w4u(5), EXPECT("w4u ");
    w8(0), w8(8), w4u(5), w4u(6), w4u(7), w4u(4), EXPECT("w8 w8 ");
    w8u(5), w8u(7), w8u(4), w8u(8), w2u(7), w2u(5), EXPECT("");
    w8u(9), EXPECT("w8u ");
    r4u(5), r8(0), r8(8), r4u(5), r4u(8), EXPECT("r4u r8 r8 ");
    r8u(5), r8u(4), r2u(7), EXPECT("");
    r2u(15), EXPECT("r2u ");
}

static _Atomic unsigned char byte = 250;
static _Atomic(char *) pointer = memory;
static _Float16 half = 1.5f;

static void test_atomics(void) {
    if (atomic_fetch_add(&byte, 10) != 250 || byte != 4) printf("fetch_add\n"), failures++;
    char *old = memory + 1;
    if (atomic_compare_exchange_strong(&pointer, &old, memory + 2) || old != memory
        || !atomic_compare_exchange_strong(&pointer, &old, memory + 2))
        printf("compare_exchange\n"), failures++;
    if (__atomic_fetch_add(&half, 2.0f, __ATOMIC_SEQ_CST) != 1.5f || half != 3.5f)
        printf("a loop\n"), failures++;
}

struct big { long a[10]; };
static struct big source = {{1, 2, 3}};
__attribute__((noinline)) long sum(struct big b) { return b.a[0] + b.a[1] + b.a[2]; }

static void test_ranges(void) {
    stub_taken();
    clear();
    if (sum(source) != 6) printf("byval\n"), failures++;
    EXPECT("rr ");
    memset(memory, 0, atoi("10"));
    w8(0), EXPECT("wr ");
}

int main(void) {
    stub_taken();
    test_aligned();
    test_bytes();
    test_readset();
    test_unaligned();
    test_atomics();
    test_ranges();
    return failures != 0;
}
