// Loops that nobody has counted, or with several ways out: behind each way out there is one check of all rounds that
// an access was in.
// RUN: %dhcc -O2 -g -fno-vectorize -fno-unroll-loops -fno-discard-value-names -Xclang -mllvm -Xclang -deadheat-outline -S -emit-llvm %s -o - | FileCheck %s
// RUN: %dhcc -O2 -S %s -o - | FileCheck %s --check-prefix=ASM
#include <stddef.h>
#include <stdlib.h>

struct node {
    int count;
    long keys[31];
};

// Both ways out are behind the access. How many keys there are is looked up once.
// CHECK-LABEL: define {{.*}}@position(
// CHECK: call void @__dh_check_read4(
// CHECK-NOT: @__dh_check_read4(
// CHECK: call void @__dh_check_read_few8(ptr {{.*}}, i64 8, i64 8, i64 {{.*}}!dbg [[KEYS:![0-9]+]]
// CHECK: call void @__dh_check_read_few8(ptr {{.*}}, i64 8, i64 8, i64 {{.*}}!dbg [[KEYS]]
// CHECK-NOT: @__dh_
// CHECK: ret
// Few rounds are checked in place, many elsewhere.
// ASM-LABEL: {{^}}position:
// ASM-DAG: __dh_read8_slow
// ASM-DAG: __dh_read_many_slow
// ASM: .cfi_endproc
int position(struct node const *n, long key) {
    int i = 0;
    while (i < n->count && n->keys[i] < key) // line 28
        i++;
    return i;
}

// CHECK-LABEL: define {{.*}}@scan(
// CHECK-NOT: @__dh_
// CHECK: call void @__dh_check_read_few1(ptr {{.*}}%p, i64 1, i64 1, i64
// CHECK-NOT: @__dh_
// CHECK: ret
char const *scan(char const *p, char c) {
    while (*p && *p != c) p++;
    return p;
}

// Which way was taken says whether the write was in the last round.
// CHECK-LABEL: define {{.*}}@half(
// CHECK-NOT: @__dh_
// CHECK-DAG: phi i64 [ {{0|1}}, %for.body ], [ {{0|1}}, %if.end ]
// CHECK-DAG: call void @__dh_check_read_few4(ptr {{.*}}%a, i64 4, i64 4, i64
// CHECK-DAG: call void @__dh_check_write_few8(ptr {{.*}}%b, i64 8, i64 8, i64
// CHECK-NOT: @__dh_
// CHECK: {{^}$}}
int half(int const *a, long *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (a[i] == 1) break;
        b[i] = 2;
        if (a[i] == 3) break;
    }
    return 0;
}

// A check for each way out that leads elsewhere.
void other(size_t at);
// CHECK-LABEL: define {{.*}}@elsewhere(
// CHECK-NOT: @__dh_
// CHECK-COUNT-3: call void @__dh_check_read_few4(ptr {{.*}}%a, i64 4, i64 4, i64
// CHECK-NOT: @__dh_
// CHECK: {{^}$}}
int elsewhere(int const *a, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (a[i] == 1) abort();
        if (a[i] == 2) {
            other(i);
            return 1;
        }
    }
    other(n);
    return 0;
}

// The same address in each round, and for certain in the first: before the loop. If not for certain: where it is.
// CHECK-LABEL: define {{.*}}@same(
// CHECK: call void @__dh_check_read8(ptr {{.*}}%limit)
// CHECK: {{^}}do.body:
// CHECK-NOT: @__dh_check_read8(
// CHECK: call void @__dh_check_write8(ptr {{.*}}%sum)
// CHECK: call void @__dh_check_write_few4(
// CHECK: {{^}$}}
void same(int *a, long *sum, long const *limit, int n) {
    int i = 0;
    do {
        if (a[i] >= *limit) return;
        *sum += 1;
        a[i] = 1;
    } while (++i < n);
}

// Out of a loop within, and out of this one, too: what is in the loop within is checked behind it, what is in this
// one where it is.
// CHECK-LABEL: define {{.*}}@both(
// CHECK: call void @__dh_check_write8(
// CHECK-COUNT-2: call void @__dh_check_read_few4(ptr {{.*}}, i64 4, i64 4, i64
// CHECK-NOT: @__dh_
// CHECK: {{^}$}}
int both(int const *a, long *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        b[i] = 1;
        for (size_t j = 0; j < 100; j++)
            if (a[100 * i + j]) return 1;
    }
    return 0;
}

// A call that may not return may take any way.
// CHECK-LABEL: define {{.*}}@calls(
// CHECK: call void @__dh_check_read4(
// CHECK-NOT: @__dh_
// CHECK: {{^}$}}
size_t calls(int const *a, size_t n) {
    size_t i = 0;
    for (; i < n; i++) {
        if (a[i] == 1) break;
        other(i);
    }
    return i;
}

// The end is looked up in each round, and may be anywhere; behind the loop it is known how far it went. Every look is
// at the same place: one check.
// CHECK-LABEL: define {{.*}}@open(
// CHECK: call void @__dh_check_read4(
// CHECK-NOT: @__dh_
// CHECK: call void @__dh_check_write_few4(ptr {{.*}}%a, i64 4, i64 4, i64
// CHECK-NOT: @__dh_
// CHECK: {{^}$}}
void open(int *a, int const *n) {
    for (int i = 0; i < *n; i++) a[i] = 1;
}

// A flag that is waited for is looked at again and again; what moves on meanwhile is not.
// CHECK-LABEL: define {{.*}}@until(
// CHECK: call void @__dh_check_read4(
// CHECK-NOT: @__dh_
// CHECK: call void @__dh_check_write_few4(
// CHECK: {{^}$}}
void until(int *a, int volatile *flag) {
    do *a++ = 1;
    while (!*flag);
}

// An access that is wider, or not aligned, has no test of its own for few.
// CHECK-LABEL: define {{.*}}@wide(
// CHECK: call void @__dh_check_read_run(ptr {{.*}}%a, i64 16, i64 16, i64
// CHECK-NOT: @__dh_
// CHECK: {{^}$}}
int wide(__int128 const *a, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (a[i] == 1) return 1;
    return 0;
}

// CHECK: {{^}}[[KEYS]] = !DILocation(line: 28, column: 28
