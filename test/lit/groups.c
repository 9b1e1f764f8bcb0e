// Accesses to fields side by side that are certain to happen together are tested together, at the first; each has
// its own slow exit, with its own place in the source.
// RUN: %dhcc -O2 -g -Xclang -mllvm -Xclang -deadheat-outline -S -emit-llvm %s -o - | FileCheck %s
// RUN: %dhcc -O2 -g -S %s -o - | FileCheck %s --check-prefix=ASM
#include <stdatomic.h>

struct point {
    double x, y, z;
    int a, b, c;
    struct point *next;
};
void other(void);

// CHECK-LABEL: define {{.*}}@dot(
// CHECK: call {{.*}}i1 @__dh_check_read_cells3(
// CHECK: call void @__dh_missed_read8({{.*}}, !dbg [[X:![0-9]+]]
// CHECK: call void @__dh_missed_read8({{.*}}, !dbg [[Y:![0-9]+]]
// CHECK: call void @__dh_missed_read8({{.*}}, !dbg [[Z:![0-9]+]]
// CHECK-NOT: @__dh
// CHECK: ret
// One test, and no branch but to where it failed.
// ASM-LABEL: {{^}}dot:
// ASM-NOT: testb
// ASM: retq
double dot(struct point const *p) {
    double s = p->x;
    s += p->y;
    s += p->z;
    return s;
}

// Words of four bytes; a gap of four to the pointer, which is none of the group's.
// CHECK-LABEL: define {{.*}}@set(
// CHECK: call {{.*}}i1 @__dh_check_write_words3(
// They share cells, so they are one step, and each has the rest of it.
// CHECK: [[LEFT:%.*]] = {{.*}}call {{.*}}i32 @__dh_missed_write_group(ptr {{.*}}, i64 12, i1
// CHECK-COUNT-3: call void @__dh_missed_write_member(ptr {{.*}}, i64 4, i32 {{.*}}[[LEFT]])
// CHECK: call void @__dh_check_write8(
// CHECK-NOT: @__dh
// CHECK: ret
void set(struct point *p, int v) {
    p->a = v;
    p->b = v + 1;
    p->c = v + 2;
    p->next = 0;
}

// Others between them are not looked at, if all are whole cells: bits 0, 2 and 5. What is tested together is looked
// at one by one where that fails. One that is 64 bytes away has a test of its own.
// CHECK-LABEL: define {{.*}}@apart(
// CHECK: call {{.*}}i1 @__dh_check_read_among({{.*}}, i32 37)
// CHECK-COUNT-3: call void @__dh_missed_read8_apart(
// CHECK: call void @__dh_check_read8(
// CHECK-NOT: @__dh
// CHECK: ret
double apart(double const *p) { return p[0] + p[2] + p[5] + p[8]; }

// CHECK-LABEL: define {{.*}}@apart_written(
// CHECK: call {{.*}}i1 @__dh_check_write_among({{.*}}, i32 9)
// CHECK-COUNT-2: call void @__dh_missed_write8_apart(
// CHECK-NOT: @__dh
// CHECK: ret
void apart_written(double *p) {
    p[3] = 1;
    p[0] = 2;
}

// On both ways from the first.
// CHECK-LABEL: define {{.*}}@branches(
// CHECK: call {{.*}}i1 @__dh_check_read_words3(
// CHECK-NOT: @__dh_check
// CHECK: ret
int branches(struct point const *p) {
    int r = p->a;
    if (r)
        r += p->b;
    else
        r -= p->b;
    return r + p->c;
}

// Only on one; and behind what may not come back.
// CHECK-LABEL: define {{.*}}@perhaps(
// CHECK-NOT: words
// CHECK-NOT: cells
// CHECK: ret
int perhaps(struct point const *p) {
    int r = p->a;
    if (r) r += p->b;
    other();
    return r + p->c;
}

// Neither behind an acquire, nor as another kind.
// CHECK-LABEL: define {{.*}}@kinds(
// CHECK-NOT: words
// CHECK-NOT: cells
// CHECK: ret
int kinds(struct point *p, atomic_int *flag) {
    p->a = 1;
    int b = p->b;
    b += atomic_load_explicit(flag, memory_order_acquire);
    return b + p->c;
}

// A loop that waits is in between.
// CHECK-LABEL: define {{.*}}@waits(
// CHECK-NOT: words
// CHECK-NOT: cells
// CHECK: ret
int waits(struct point const *p, int volatile *flag) {
    int r = p->a;
    while (!*flag) {}
    return r + p->b;
}

// CHECK-DAG: {{^}}[[X]] = !DILocation(line: 26,
// CHECK-DAG: {{^}}[[Y]] = !DILocation(line: 27,
// CHECK-DAG: {{^}}[[Z]] = !DILocation(line: 28,
