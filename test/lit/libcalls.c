// Library functions that the code generator would expand are left to the runtime.
// RUN: %dhcc -O2 -c %s -o %t.o && llvm-nm %t.o | FileCheck %s
#include <string.h>
int f(char *a, char *b) { return memcmp(a, b, 8) == 0 && strlen(a) > 3; }
// CHECK: U {{memcmp|bcmp}}
// CHECK: U strlen
