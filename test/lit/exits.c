// Loops with several ways out: behind each of them there is one check of all rounds that an access was in.
// RUN: %dhcc -O2 -g -fno-vectorize -fno-unroll-loops -fno-discard-value-names -S -emit-llvm %s -o - | FileCheck %s
#include <stddef.h>
#include <stdlib.h>

struct node {
    int count;
    long keys[31];
};

// Both ways out are behind the access. How many keys there are is looked up once.
// CHECK-LABEL: define {{.*}}@position(
// CHECK-COUNT-1: call {{.*}}@__dh_read4_slow(
// CHECK-NOT: _slow(
// CHECK: call void @__dh_check_read_run(ptr {{.*}}, i64 8, i64 8, i64 {{.*}}!dbg [[KEYS:![0-9]+]]
// CHECK: call void @__dh_check_read_run(ptr {{.*}}, i64 8, i64 8, i64 {{.*}}!dbg [[KEYS]]
// CHECK-NOT: @__dh_
// CHECK: ret
int position(struct node const *n, long key) {
    int i = 0;
    while (i < n->count && n->keys[i] < key) // line 21
        i++;
    return i;
}

// CHECK-LABEL: define {{.*}}@scan(
// CHECK-NOT: _slow(
// CHECK: call void @__dh_check_read_run(ptr {{.*}}%p, i64 1, i64 1, i64
// CHECK-NOT: @__dh_
// CHECK: ret
char const *scan(char const *p, char c) {
    while (*p && *p != c) p++;
    return p;
}

// Which way was taken says whether the write was in the last round.
// CHECK-LABEL: define {{.*}}@half(
// CHECK-NOT: _slow(
// CHECK-DAG: phi i64 [ {{0|1}}, %for.body ], [ {{0|1}}, %if.end ]
// CHECK-DAG: call void @__dh_check_read_run(ptr {{.*}}%a, i64 4, i64 4, i64
// CHECK-DAG: call void @__dh_check_write_run(ptr {{.*}}%b, i64 8, i64 8, i64
// CHECK-NOT: _slow(
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
// CHECK-NOT: _slow(
// CHECK-COUNT-3: call void @__dh_check_read_run(ptr {{.*}}%a, i64 4, i64 4, i64
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
// CHECK: call {{.*}}@__dh_read8_slow(
// CHECK: {{^}}do.body:
// CHECK-NOT: @__dh_read8_slow(
// CHECK: call {{.*}}@__dh_write8_slow(
// CHECK: call void @__dh_check_write_run(
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
// CHECK-DAG: call {{.*}}@__dh_write8_slow(
// CHECK-DAG: call void @__dh_check_read_run(ptr {{.*}}, i64 4, i64 4, i64
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
// CHECK-NOT: _run(
// CHECK: call {{.*}}@__dh_read4_slow(
// CHECK-NOT: _run(
// CHECK: {{^}$}}
size_t calls(int const *a, size_t n) {
    size_t i = 0;
    for (; i < n; i++) {
        if (a[i] == 1) break;
        other(i);
    }
    return i;
}

// CHECK: {{^}}[[KEYS]] = !DILocation(line: 21, column: 28
