// A loop whose checks come behind it keeps account of its rounds, in its frame, where the runtime finds it.
// RUN: %dhcc -O2 -g -fno-discard-value-names -S -emit-llvm %s -o - | FileCheck %s
// RUN: %dhcc -O2 -g -S %s -o - | FileCheck %s --check-prefix=ASM
// RUN: %dhcc -O2 -ffunction-sections -fno-pie -c %s -o %t.o
// RUN: %dhcc -O2 -Xclang -mllvm -Xclang -deadheat-detector=redcard -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE --allow-empty
#include <stddef.h>

// NONE-NOT: asm sideeffect
// NONE-NOT: __dh_has_loops

// What the place is comes before the loop; the link, last.
// CHECK-LABEL: define {{.*}}@find(
// CHECK: [[ACCOUNT:%.*]] = alloca [4 x i64]
// CHECK: call ptr asm sideeffect "leaq 1f(%rip), $0{{.*}}.short 0, 1{{.*}}.quad 4, 4, 0{{.*}}"() {{.*}}!dbg [[READ:![0-9]+]]
// CHECK: store volatile i64 0, ptr
// CHECK: store volatile ptr [[ACCOUNT]], ptr {{.*}}@__dh_tls
// Each round the access comes first, and then its number.
// CHECK: [[ROUND:%.*]] = phi i64 [ 0, %{{[a-z.]+}} ], [ [[NEXT:%[0-9]+]], %{{[a-z.]+}} ]
// CHECK: [[NEXT]] = add nuw {{.*}}i64 [[ROUND]], 1
// CHECK: load i32, ptr
// CHECK-NEXT: store volatile i64 [[NEXT]], ptr {{.*}}!dbg [[READ]]
// The link goes after the check.
// CHECK: call {{.*}}@__dh_read_many_slow
// CHECK: store volatile ptr {{.*}}@__dh_tls
// CHECK: ret
// What is known lies behind the code, and the round costs one instruction.
// ASM-LABEL: {{^}}find:
// ASM: movq {{%.*}}, %fs:16(
// ASM: {{^}}[[LOOP:.LBB0_[0-9]+]]: {{.*}}Loop Header
// ASM: movq {{%.*}}, -{{[0-9]+}}(%rbp)
// ASM: jne [[LOOP]]
int find(int const *a, int x) {
    int i = 0;
    while (a[i] != x)
        i++;
    return i;
}

// Each access has rounds of its own.
// CHECK-LABEL: define {{.*}}@copy(
// CHECK: alloca [7 x i64]
// CHECK: .short 1, 0{{.*}}.quad 1, 1, 0
// CHECK: .short 0, 1{{.*}}.quad 1, 1, 0
// CHECK: store i8
// CHECK-NEXT: store volatile i64 [[N:%[0-9]+]], ptr
// CHECK: load i8, ptr
// CHECK-NEXT: store volatile i64 [[N]], ptr
void copy(char *restrict to, char const *restrict from) {
    for (; *from; to++, from++)
        *to = *from ^ 1;
}

// Rounds that are counted before need none.
// CHECK-LABEL: define {{.*}}@clear(
// CHECK-NOT: asm sideeffect
// CHECK: {{^}$}}
void clear(int *a, size_t n) {
    for (size_t i = 0; i < n; i++)
        a[i] = 0;
}

// Loops one after the other use the same room: one account, and perhaps a register.
// ASM-LABEL: {{^}}twice:
// ASM: subq ${{32|40}}, %rsp
// ASM: .cfi_endproc
int twice(int const *a, int x) {
    int i = 0, j = 0;
    while (a[i] != x)
        i++;
    while (a[j] != i)
        j++;
    return i + j;
}

// The runtime is told.
// CHECK: define {{.*}}@deadheat.loops_ctor
// CHECK: call void @__dh_has_loops()
