// What is within a range that was checked needs no check; what only looks so has one.
// RUN: %dhcc -O2 -S -emit-llvm -Xclang -mllvm -Xclang -deadheat-outline %s -o - | FileCheck %s
#include <stddef.h>
#include <string.h>

// A byte is no more than 255.
// CHECK-LABEL: @histogram(
// CHECK: call void @__dh_check_write_range(ptr {{.*}}, i64 1024)
// CHECK: call void @__dh_check_read_run(
// CHECK-NOT: @__dh_check
// CHECK: ret
void histogram(int *table, unsigned char const *s, size_t n) {
    memset(table, 0, 256 * sizeof *table);
    for (size_t i = 0; i < n; i++)
        table[s[i]]++;
}

// CHECK-LABEL: @histogram_short(
// CHECK: call void @__dh_check_write_range(ptr {{.*}}, i64 1020)
// CHECK: call void @__dh_check_write4(
void histogram_short(int *table, unsigned char const *s, size_t n) {
    memset(table, 0, 255 * sizeof *table);
    for (size_t i = 0; i < n; i++)
        table[s[i]]++;
}

// The second loop goes where the first did.
// CHECK-LABEL: @twice(
// CHECK: call void @__dh_check_write_run(
// CHECK-NOT: @__dh_check
// CHECK: ret
void twice(int *a, int n) {
    for (int i = 0; i < n; i++)
        a[i] = i;
    for (int i = 0; i < n; i++)
        a[i] *= 3;
}

// A read is not a check of what is written.
// CHECK-LABEL: @read_then_write(
// CHECK: call void @__dh_check_read_run(
// CHECK: call void @__dh_check_write_run(
int read_then_write(int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    for (int i = 0; i < n; i++)
        a[i] = s;
    return s;
}

// An element that branches have bounded, also if the loop was skipped.
// CHECK-LABEL: @element(
// CHECK: call void @__dh_check_read_run(
// CHECK-NOT: @__dh_check
// CHECK: ret
int element(int const *a, size_t low, size_t high, size_t j) {
    int s = 0;
    for (size_t i = low; i < high; i++)
        s += a[i];
    if (low <= j && j < high) s += a[j];
    return s;
}

// CHECK-LABEL: @one_too_far(
// CHECK: call void @__dh_check_read_run(
// CHECK: call void @__dh_check_read4(
int one_too_far(int const *a, size_t low, size_t high, size_t j) {
    int s = 0;
    for (size_t i = low; i < high; i++)
        s += a[i];
    if (low <= j && j <= high) s += a[j];
    return s;
}

// CHECK-LABEL: @unsigned_index(
// CHECK: call void @__dh_check_write_range(
// CHECK-NOT: @__dh_check
// CHECK: ret
void unsigned_index(char *p, size_t n, size_t k) {
    memset(p, 0, n);
    if (k < n) p[k] = 1;
}

// Compared with its sign it may be negative.
// CHECK-LABEL: @signed_index(
// CHECK: call void @__dh_check_write_range(
// CHECK: call void @__dh_check_write1(
void signed_index(char *p, long n, long k) {
    memset(p, 0, (size_t)n);
    if (k < n) p[k] = 1;
}

// The sum may wrap round to 0.
// CHECK-LABEL: @wraps(
// CHECK: call void @__dh_check_write_range(
// CHECK: call void @__dh_check_write1(
void wraps(char *p, size_t n, size_t k) {
    memset(p, 0, n);
    if (k + 1 < n) p[k] = 1;
}

// On some rounds only: each that there are is within.
// CHECK-LABEL: @sometimes(
// CHECK: call void @__dh_check_write_range(
// CHECK: call void @__dh_check_read_run(
// CHECK-NOT: @__dh_check
// CHECK: ret
void sometimes(int *a, int n, int const *b) {
    for (int i = 0; i < n; i++)
        a[i] = 0;
    for (int i = 0; i < n; i++)
        if (b[i]) a[i] = 1;
}

// The same bytes are copied twice.
// CHECK-LABEL: @copies(
// CHECK: call void @__dh_check_read_range(
// CHECK: call void @__dh_check_write_range(
// CHECK-NOT: @__dh_check_read
// CHECK: call void @__dh_check_write_range(
// CHECK-NOT: @__dh_check
// CHECK: ret
void copies(char *d, char *e, char const *s, size_t n) {
    memcpy(d, s, n);
    memcpy(e, s, n);
}

// CHECK-LABEL: @released(
// CHECK: call void @__dh_check_write_range(
// CHECK: call void @__dh_check_write1(
void other(void);
void released(char *p, size_t n, size_t k) {
    memset(p, 0, n);
    other();
    if (k < n) p[k] = 1;
}

// On one way only.
// CHECK-LABEL: @one_way(
// CHECK: call void @__dh_check_write_range(
// CHECK: call void @__dh_check_write1(
void one_way(char *p, size_t n, size_t k, int c) {
    if (c) memset(p, 0, n);
    if (k < n) p[k] = 1;
}
