// Members of a group that are one in the source, and of one size, are a row: one slow exit for all, and then theirs.
// RUN: %dhcc -O2 -g -Xclang -mllvm -Xclang -deadheat-outline -S -emit-llvm %s -o - | FileCheck %s
// RUN: %dhcc -O2 -g -S %s -o - | FileCheck %s --check-prefix=ASM

struct mixed {
    long a;
    int b, c;
};

// CHECK-LABEL: define {{.*}}@sum(
// CHECK: [[SAME:%.*]] = {{.*}}call {{.*}}i1 @__dh_check_read_span8(
// CHECK: [[DONE:%.*]] = {{.*}}call {{.*}}i1 @__dh_missed_read_row(ptr {{.*}}, i64 32, i64 4, i1 {{.*}}[[SAME]]){{.*}}, !dbg [[ROW:![0-9]+]]
// CHECK-COUNT-8: call void @__dh_missed_read4(ptr {{.*}}, i1 {{.*}}[[DONE]]){{.*}}, !dbg [[ROW]]
// CHECK-NOT: @__dh
// CHECK: ret
// Behind the row's exit, if it made the step, nothing is left.
// ASM-LABEL: {{^}}sum:
// ASM: callq *__dh_read_row_slow@GOTPCREL(%rip)
// ASM: testb %al, %al
// ASM: jne
// ASM: __dh_read4_slow
int sum(int const *p) {
    int s = 0;
    for (int i = 0; i < 8; i++)
        s += p[i];
    return s;
}

// CHECK-LABEL: define {{.*}}@fill(
// CHECK: call {{.*}}i1 @__dh_missed_write_row(ptr {{.*}}, i64 24, i64 8, i1
// CHECK-COUNT-3: call void @__dh_missed_write8(
// CHECK: ret
void fill(double *p, double x) {
    for (int i = 0; i < 3; i++)
        p[i] = x * i;
}

// Two places; and of two sizes.
// CHECK-LABEL: define {{.*}}@places(
// CHECK-NOT: _row
// CHECK: ret
int places(int const *p) { return p[0] + p[1]; }

// CHECK-LABEL: define {{.*}}@sizes(
// CHECK-NOT: _row
// CHECK: ret
#define ALL(p) ((p)->a + (p)->b + (p)->c)
long sizes(struct mixed const *p) { return ALL(p); }
