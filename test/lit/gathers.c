// Reads of eight bytes at indices that come out of memory, in a loop, ask the table of gathers; the default
// detector alone has it.
// RUN: %dhcc -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %dhcc -O2 -Xclang -mllvm -Xclang -deadheat-detector=redcard -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// RUN: %dhcc -O2 -Xclang -mllvm -Xclang -deadheat-detector=fasttrack -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// RUN: %dhcc -O2 -Xclang -mllvm -Xclang -deadheat-audit -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// NONE-NOT: gather8

// The word, then the generation: never the other way round.
// CHECK-LABEL: define {{.*}} @gather(
// CHECK: load atomic i64, ptr {{.*}} acquire
// CHECK: load atomic i32, ptr {{.*}} monotonic
// CHECK: call preserve_mostcc void @__dh_gather8_slow(
// CHECK-NOT: call {{.*}}gather8
double gather(double const *x, int const *index, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[index[i]];
    return sum;
}

// Of less than a cell, of an index that is counted, of writes, and outside of loops: as ever.
// CHECK-LABEL: define {{.*}} @others(
// CHECK-NOT: call {{.*}}gather8
double others(float const *f, double const *x, double *y, int const *index, int n) {
    double sum = x[index[0]];
    for (int i = 0; i < n; i++) {
        sum += (double)f[index[i]] + x[3 * i];
        y[index[i]] = 1;
    }
    return sum;
}
