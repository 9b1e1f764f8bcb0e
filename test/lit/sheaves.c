// Runs side by side share a check; each has its own place for what is left to do.
// RUN: %dhcc -O2 -g -fno-vectorize -fno-unroll-loops -fno-slp-vectorize -fno-discard-value-names -S -emit-llvm %s -o - | FileCheck %s
#include <stddef.h>

struct particle {
    double x, y, z, mass;
};

// One test of what is left, and a call for each line.
// CHECK-LABEL: define {{.*}}@fields(
// CHECK: %[[LEFT:.*]] = {{.*}}call i32 @__dh_check_read_runs(ptr {{.*}}%p, i64 24, i64 32, i64 {{.*}}%n)
// CHECK: icmp eq i32 %[[LEFT]], 0
// CHECK: br i1
// CHECK-COUNT-3: @__dh_read_run_slow(ptr {{.*}}, i64 {{.*}}8, i64 {{.*}}32, i64 {{.*}}%n, i32 {{.*}}%[[LEFT]]){{.*}}, !dbg
// CHECK-NOT: @__dh_
// CHECK: {{^}$}}
double fields(struct particle const *p, size_t n) {
    double s = 0;
    for (size_t i = 0; i < n; i++) {
        s += p[i].z;
        s -= p[i].x;
        s *= p[i].y;
    }
    return s;
}

// All bytes of a block, backwards through them.
// CHECK-LABEL: define {{.*}}@blocks(
// CHECK: call i32 @__dh_check_write_runs(ptr {{.*}}, i64 4, i64 -4, i64
// CHECK: {{^}$}}
void blocks(unsigned char *p, int n) {
    for (int i = n - 1; i >= 0; i--) {
        p[4 * i + 3] = 3;
        p[4 * i + 1] = 1;
        p[4 * i] = 0;
        p[4 * i + 2] = 2;
    }
}

// A gap between them: two runs. Another kind, another direction: the same.
// CHECK-LABEL: define {{.*}}@apart(
// CHECK-NOT: _runs(
// CHECK: call void @__dh_check_read_run(ptr {{.*}}, i64 8, i64 32, i64
// CHECK-NOT: _runs(
// CHECK: call void @__dh_check_write_run(ptr {{.*}}, i64 8, i64 32, i64
// CHECK-NOT: _runs(
// CHECK: call void @__dh_check_read_run(ptr {{.*}}, i64 8, i64 32, i64
// CHECK: {{^}$}}
void apart(struct particle *p, size_t n) {
    for (size_t i = 0; i < n; i++) {
        double s = p[i].x;
        p[i].y = 2 * s;
        s += p[i].z;
        __asm__("" : "+r"(s));
    }
}

// Of one line, a round apart, and of another: one check, two places.
// CHECK-LABEL: define {{.*}}@ahead(
// CHECK: call i32 @__dh_check_write_runs(ptr {{.*}}%a, i64 24, i64 8, i64 {{.*}}%n)
// CHECK-COUNT-2: @__dh_write_run_slow(
// CHECK-NOT: @__dh_write_run_slow(
// CHECK: {{^}$}}
void ahead(double *a, size_t n) {
    for (size_t i = 0; i < n; i++) {
        a[i] = 1, a[i + 1] = 2;
        a[i + 2] = 3;
    }
}

// What is read is written a round later, but for the last.
// CHECK-LABEL: define {{.*}}@down(
// CHECK: call {{.*}}@__dh_read4_slow(
// CHECK-NOT: @__dh_check_read_run
// CHECK: call void @__dh_check_write_run(ptr {{.*}}%a, i64 4, i64 4, i64 {{.*}}%n)
// CHECK-NOT: @__dh_check_read_run
// CHECK: {{^}$}}
void down(int *a, size_t n) {
    for (size_t i = 0; i < n; i++) a[i] = a[i + 1] + 1;
}

// Or was, but for the first; these are several, or all if there are fewer.
// CHECK-LABEL: define {{.*}}@up(
// CHECK: %[[SOME:.*]] = {{.*}}@llvm.umin.i64(i64 %n, i64 3)
// CHECK: call void @__dh_check_read_run(ptr {{.*}}%a, i64 4, i64 4, i64 {{.*}}%[[SOME]])
// CHECK: call void @__dh_check_write_run(ptr {{.*}}, i64 4, i64 4, i64 {{.*}}%n)
// CHECK: {{^}$}}
void up(int *a, size_t n) {
    for (size_t i = 0; i < n; i++) a[i + 3] = a[i] + 1;
}
