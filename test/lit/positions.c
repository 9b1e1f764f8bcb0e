// A check has the position of its access, so that its return address leads there; also where the inliner
// has been, and (line 0) where an access has none. Identical checks in two branches stay two.
// RUN: %dhcc -O2 -g -S -emit-llvm %s -o - | FileCheck %s
// RUN: %dhcc -O2 -gline-tables-only -c %s -o %t.o
// RUN: %dhcc -O0 -g -S -emit-llvm %s -o - | FileCheck %s
void g(void), h(void);
int f(int c, int *p) {
    if (c) {
        *p = 1; // line 9
        g();
    } else {
        *p = 2; // line 12
        h();
    }
    return 0;
}

// The load is moved out of the loop and loses its place; that of the addition, its use, is good.
void promoted(int *restrict p, int const *q, int n) {
    for (int i = 0; i < n; i++)
        *p += q[i]; // line 21
}

// CHECK-LABEL: define {{.*}} @f(
// CHECK: call preserve_mostcc void @__dh_write4_slow({{.*}}, !dbg [[A:![0-9]+]]
// CHECK: call preserve_mostcc void @__dh_write4_slow({{.*}}, !dbg [[B:![0-9]+]]
// CHECK-LABEL: define {{.*}} @promoted(
// CHECK: call preserve_mostcc void @__dh_{{read|write}}4_slow({{.*}}, !dbg [[C:![0-9]+]]
// CHECK-DAG: {{^}}[[A]] = !DILocation(line: {{9|12}}, column: 12,
// CHECK-DAG: {{^}}[[B]] = !DILocation(line: {{9|12}}, column: 12,
// CHECK-DAG: {{^}}[[C]] = !DILocation(line: 21,
