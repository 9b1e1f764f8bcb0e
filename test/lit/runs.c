// Checks leave counted loops: one before the loop stands for all rounds. Where anything speaks against that, they
// stay where the accesses are.
// RUN: %dhcc -O2 -fno-vectorize -fno-unroll-loops -fno-discard-value-names -S -emit-llvm %s -o - | FileCheck %s
// RUN: %dhcc -O2 -S -emit-llvm %s -o /dev/null -Xclang -mllvm -Xclang -deadheat-detector=fasttrack -Xclang -mllvm -Xclang -deadheat-stats 2>&1 | FileCheck %s --check-prefix=EVERY
// EVERY: {{^ *}}0 runs
#include <stdatomic.h>
#include <stddef.h>

struct point {
    double x, y;
};

// CHECK-LABEL: define {{.*}}@forward(
// CHECK: call void @__dh_check_read_run(ptr {{.*}}%a, i64 8, i64 8, i64 {{.*}}%n)
// CHECK-NOT: call {{.*}}_slow
double forward(double *a, size_t n) {
    double s = 0;
    for (size_t i = 0; i < n; i++) s += a[i];
    return s;
}

// CHECK-LABEL: define {{.*}}@backward(
// CHECK: call void @__dh_check_write_run(ptr {{.*}}, i64 4, i64 -4, i64
// CHECK-NOT: call {{.*}}_slow
void backward(int *a, int n) {
    for (int i = n; i-- > 0;) a[i] = i;
}

// A field of every third element.
// CHECK-LABEL: define {{.*}}@strided(
// CHECK: call void @__dh_check_write_run(ptr {{.*}}, i64 8, i64 48, i64
// CHECK-NOT: call {{.*}}_slow
void strided(struct point *p, int n) {
    for (int i = 0; i < n; i += 3) p[i].y = 1;
}

// Two that follow each other through one array, on one line, are one run, a round longer.
// CHECK-LABEL: define {{.*}}@neighbours(
// CHECK: %[[ROUNDS:.*]] = add {{.*}}%n, 1
// CHECK: call void @__dh_check_write_run(ptr {{.*}}%a, i64 4, i64 4, i64 {{.*}}%[[ROUNDS]])
// CHECK-NOT: call {{.*}}@__dh_
void neighbours(float *a, size_t n) {
    for (size_t i = 0; i < n; i++) a[i] = 1, a[i + 1] = 2;
}

// The same address in each round: one check.
// CHECK-LABEL: define {{.*}}@same(
// CHECK: call {{.*}}@__dh_read8_slow(
// CHECK-NOT: call {{.*}}_slow
// CHECK: call void @__dh_check_write_run(
// CHECK-NOT: call {{.*}}_slow
void same(double *a, double const *volatile *unused, double const *x, size_t n) {
    (void)unused;
    for (size_t i = 0; i < n; i++) a[i] = *x;
}

// It may leave early: nobody knows before how far it goes.
// CHECK-LABEL: define {{.*}}@leaves(
// CHECK-NOT: _run(
// CHECK: call {{.*}}@__dh_read4_slow(
size_t leaves(int *a, size_t n) {
    size_t i = 0;
    for (; i < n; i++)
        if (a[i] == 0) break;
    return i;
}

// The end is looked up in each round, and may be anywhere; behind the loop it is known how far it went. Every look is
// at the same place: one check.
// CHECK-LABEL: define {{.*}}@open(
// CHECK-COUNT-1: call {{.*}}@__dh_read8_slow(
// CHECK-NOT: _slow(
// CHECK: call void @__dh_check_write_run(ptr {{.*}}%a, i64 4, i64 4, i64
// CHECK: ret
void open(int *a, size_t const *n) {
    for (size_t i = 0; i < *n; i++) a[i] = 1;
}

// A flag that is waited for is looked at again and again; what moves on meanwhile is not.
// CHECK-LABEL: define {{.*}}@until(
// CHECK: call {{.*}}@__dh_read4_slow(
// CHECK-NOT: _slow(
// CHECK: call void @__dh_check_write_run(
// CHECK: ret
void until(int *a, int volatile *flag) {
    do *a++ = 1;
    while (!*flag);
}

// Not in every round.
// CHECK-LABEL: define {{.*}}@sometimes(
// CHECK: call void @__dh_check_read_run(
// CHECK-NOT: call void @__dh_check_write_run(
// CHECK: call {{.*}}@__dh_write4_slow(
void sometimes(int *a, int *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (a[i]) b[i] = 1;
}

void elsewhere(void);
// CHECK-LABEL: define {{.*}}@calls(
// CHECK-NOT: _run(
// CHECK: call {{.*}}@__dh_write4_slow(
void calls(int *a, size_t n) {
    for (size_t i = 0; i < n; i++) {
        a[i] = 1;
        elsewhere();
    }
}

// CHECK-LABEL: define {{.*}}@synchronises(
// CHECK-NOT: _run(
// CHECK: call {{.*}}@__dh_write4_slow(
void synchronises(int *a, atomic_int *done, size_t n) {
    for (size_t i = 0; i < n; i++) {
        a[i] = 1;
        atomic_store_explicit(done, (int)i, memory_order_release);
    }
}

// CHECK-LABEL: define {{.*}}@assembly(
// CHECK-NOT: _run(
// CHECK: call {{.*}}@__dh_write4_slow(
void assembly(int *a, size_t n) {
    for (size_t i = 0; i < n; i++) {
        a[i] = 1;
        __asm__ volatile("" ::: "memory");
    }
}

// Waiting for a flag: no count, and each look at it is checked.
// CHECK-LABEL: define {{.*}}@spins(
// CHECK-NOT: _run(
// CHECK: call {{.*}}@__dh_read4_slow(
void spins(int volatile *flag) {
    while (!*flag) {}
}

// An index that wraps round is not followed.
// CHECK-LABEL: define {{.*}}@wraps(
// CHECK-NOT: _run(
// CHECK: call {{.*}}@__dh_write1_slow(
void wraps(char *a, unsigned char from, size_t n) {
    for (size_t i = 0; i < n; i++) a[from++] = 1;
}

// ---- loops in loops ----

// The same run in each round of the loop around it: before that one, once.
// CHECK-LABEL: define {{.*}}@again(
// CHECK: call void @__dh_check_read_run(ptr {{.*}}%keys, i64 2, i64 12, i64 8)
// CHECK-NOT: @__dh_check_read_run(
// CHECK: for.body
// CHECK-NOT: @__dh_check_read_run(
// CHECK: {{^}$}}
void again(int *out, short const *keys, size_t n) {
    for (size_t i = 0; i < n; i++) {
        int s = 0;
        for (size_t r = 0; r < 8; r++) s = s * 31 + keys[6 * r];
        out[i] = s;
    }
}

// Whether there is anything to do in the inner loop is asked before the outer one.
// CHECK-LABEL: define {{.*}}@guarded(
// CHECK: %[[COUNT:.*]] = {{(select i1 .*, i64 0|.*@llvm.smax.i64\(i64 %m, i64 0\))}}
// CHECK: call void @__dh_check_read_run(ptr {{.*}}%a, i64 8, i64 8, i64 %[[COUNT]])
// CHECK-NOT: @__dh_check_read_run(
// CHECK: {{^}$}}
void guarded(double *out, double const *a, long n, long m) {
    for (long i = 0; i < n; i++) {
        double s = 0;
        for (long j = 0; j < m; j++) s += a[j] * (double)i;
        out[i] = s;
    }
}

// The guard, or the bound, is another one in each round: before the inner loop.
// CHECK-LABEL: define {{.*}}@triangle(
// CHECK: br
// CHECK: br
// CHECK: call void @__dh_check_write_run(ptr {{.*}}, i64 4, i64 4, i64
// CHECK: {{^}$}}
void triangle(int *a, long n) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < i; j++) a[j] = 1;
}

// Row by row is all of it.
// CHECK-LABEL: define {{.*}}@rows(
// CHECK: %[[COUNT:.*]] = {{shl|mul}} {{.*}}
// CHECK: call void @__dh_check_write_run(ptr {{.*}}%a, i64 4, i64 4, i64 {{.*}}%[[COUNT]])
// CHECK-NOT: @__dh_
// CHECK: {{^}$}}
void rows(int (*a)[100], long n) {
    for (long i = 0; i < n; i++)
        for (int j = 0; j < 100; j++) a[i][j] = 1;
}

// Somebody else may write it between two rounds.
// CHECK-LABEL: define {{.*}}@between(
// CHECK: br
// CHECK: call void @__dh_check_read_run(
// CHECK: {{^}$}}
int between(int const *a, atomic_int *turn, long n) {
    int s = 0;
    for (long i = 0; i < n; i++) {
        s += atomic_load_explicit(turn, memory_order_acquire);
        for (int j = 0; j < 100; j++) s += a[j];
    }
    return s;
}

// Nobody knows whether the outer loop ends: meanwhile a signal handler may release.
// CHECK-LABEL: define {{.*}}@for_ever(
// CHECK: br
// CHECK: call void @__dh_check_read_run(
// CHECK: {{^}$}}
int for_ever(int const *a, int volatile *stop) {
    int s = 0;
    do
        for (int j = 0; j < 100; j++) s ^= a[j];
    while (!*stop);
    return s;
}
