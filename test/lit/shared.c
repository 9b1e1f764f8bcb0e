// The slow exits keep registers that the dynamic linker does not: they are never called through the PLT.
// RUN: %dhcc -O2 -fPIC -c %s -o %t.o && llvm-readelf -r %t.o | FileCheck %s
// RUN: %dhcc -O2 -fno-pie -c %s -o %t.o && llvm-readelf -r %t.o | FileCheck %s
// RUN: %dhcc -O0 -c %s -o %t.o && llvm-readelf -r %t.o | FileCheck %s
// RUN: %dhcc -O2 -fPIC -shared %s -o %t.so && llvm-readelf -r %t.so | FileCheck %s --check-prefix=SO
int f(int *p, char *q) { return *p + (*q = 1); }

// CHECK-DAG: R_X86_64_{{(REX_)?}}GOTPCREL{{X?}} {{.*}} __dh_read4_slow
// CHECK-DAG: R_X86_64_{{(REX_)?}}GOTPCREL{{X?}} {{.*}} __dh_write1_slow
// CHECK-DAG: R_X86_64_GOTTPOFF {{.*}} __dh_tls
// SO-DAG: R_X86_64_GLOB_DAT {{.*}} __dh_read4_slow
// SO-DAG: R_X86_64_GLOB_DAT {{.*}} __dh_write1_slow
// SO-DAG: R_X86_64_TPOFF64 {{.*}} __dh_tls
// SO-NOT: R_X86_64_JUMP_SLOT {{.*}}_slow
