// What cannot be done is an error of the compilation, said in one line.
// RUN: not %dhcc -c %s -o %t.o -Xclang -mllvm -Xclang -deadheat-detector=nonesuch 2>&1 | FileCheck %s --check-prefix=DETECTOR
// RUN: not %dhcc -m32 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not %dhcc -mx32 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=TARGET
int x;
void f(void) { x = 1; }
// DETECTOR: error: deadheat: no such detector
// TARGET: error: deadheat: only x86-64 is supported
