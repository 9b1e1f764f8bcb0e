// One constructor for a module, in a comdat with its entry, and none for a module without code.
// RUN: %dhcc -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %dhcc -O2 -c %s -o %t.o && llvm-readelf -g -S %t.o | FileCheck %s --check-prefix=ELF
// RUN: %dhcc -O2 -c -DNO_CODE %s -o %t.o && llvm-nm %t.o | FileCheck %s --check-prefix=NONE --allow-empty
//
// A module that comes again, as bitcode, is left as it is.
// RUN: %dhcc -O2 -c -emit-llvm %s -o %t.bc && %dhcc -O2 -S -emit-llvm -x ir %t.bc -o - | FileCheck %s

int data;
#ifndef NO_CODE
void other(void);
__attribute__((constructor)) void mine(void) { other(); }
#endif

// CHECK: @llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @mine, ptr null }, { i32, ptr, ptr } { i32 0, ptr @deadheat.module_ctor, ptr @deadheat.module_ctor }]
// CHECK: define linkonce_odr hidden void @deadheat.module_ctor() {{.*}} comdat
// CHECK: call void @__dh_init_v3()
// ELF: COMDAT group section [{{.*}}] `.group' [deadheat.module_ctor]
// ELF: .init_array.0
// NONE-NOT: deadheat
// NONE-NOT: __dh_
