// Library functions that the code generator would expand into accesses are left to the runtime. A square root is none:
// it is an instruction, and a call only where errno is to be set.
// RUN: %dhcc -O2 -c %s -o %t.o && llvm-nm %t.o | FileCheck %s
// RUN: %dhcc -O2 -S %s -o - | FileCheck %s --check-prefix=ASM
// RUN: %dhcc -O2 -fno-builtin -S %s -o - | FileCheck %s --check-prefix=CALLED
#include <math.h>
#include <string.h>
int f(char *a, char *b) { return memcmp(a, b, 8) == 0 && strlen(a) > 3; }
// CHECK: U {{memcmp|bcmp}}
// CHECK: U sqrt
// CHECK: U strlen

// ASM-LABEL: {{^}}root:
// ASM: sqrtsd
// ASM: sqrt@PLT
// CALLED-LABEL: {{^}}root:
// CALLED-NOT: sqrtsd
// CALLED: sqrt@PLT
double root(double *p) { return sqrt(*p) + 1; }
