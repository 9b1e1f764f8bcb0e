// Nothing of ThreadSanitizer is left, no check is left a call, and our constructor is there: at every level.
// RUN: for o in 0 1 2 3 s z g; do %dhcc -O$o -c %s -o %t.o && llvm-nm %t.o; done >%t.nm
// RUN: FileCheck %s <%t.nm
// RUN: FileCheck %s --check-prefix=COUNT <%t.nm
// RUN: %dhcxx -std=c++20 -x c++ -O2 -c %s -o %t.o && llvm-nm %t.o | FileCheck %s
//
// In bitcode too, where even an unused declaration would be a symbol.
// RUN: %dhcc -O2 -c -emit-llvm %s -o - | llvm-nm - | FileCheck %s
// RUN: %dhcc -O2 -flto -c %s -o - | llvm-nm - | FileCheck %s
// RUN: %dhcc -O2 -flto=thin -c %s -o - | llvm-nm - | FileCheck %s
int x[4];
void f(int i, char *p, short *q) { x[i] += __atomic_add_fetch(&x[i + 1], *p, __ATOMIC_RELAXED) + *q; }

// CHECK-NOT: tsan
// CHECK-NOT: __dh_check_{{read|write}}{{[0-9]}}
// COUNT-COUNT-7: deadheat.module_ctor
