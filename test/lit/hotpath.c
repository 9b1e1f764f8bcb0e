// The machine code of the inlined test: few instructions, the epoch by one fs: load, and no stack traffic
// and no call before the return.
// RUN: %dhcc -O2 -c %s -o %t.o && llvm-objdump -d --no-show-raw-insn --no-leading-addr %t.o | FileCheck %s
// RUN: %dhcc -O2 -fPIC -c %s -o %t.o && llvm-objdump -d --no-show-raw-insn --no-leading-addr %t.o | FileCheck %s

// CHECK-LABEL: <write8>:
// CHECK-NEXT: movabsq $0x400000000000, %rax
// CHECK-NEXT: xorq %rdi, %rax
// CHECK-NEXT: movq (%rip), %rcx
// CHECK-NEXT: movl 0x8c0(%rax), %eax
// CHECK-NEXT: cmpl %fs:(%rcx), %eax
// CHECK-NEXT: jne
// CHECK-NEXT: movq $0x1, (%rdi)
// CHECK-NEXT: retq
void write8(long *p) { *p = 1; }

// The others: no stack traffic, no call.
// CHECK-LABEL: <write1>:
// CHECK-NOT: {{push|pop|call}}
// CHECK: retq
void write1(char *p) { *p = 1; }
// CHECK-LABEL: <write2>:
// CHECK-NOT: {{push|pop|call}}
// CHECK: retq
void write2(short *p) { *p = 1; }
// CHECK-LABEL: <write4>:
// CHECK-NOT: {{push|pop|call}}
// CHECK: retq
void write4(int *p) { *p = 1; }
// CHECK-LABEL: <write16>:
// CHECK-NOT: {{push|pop|call}}
// CHECK: retq
void write16(__int128 *p) { *p = 1; }
// CHECK-LABEL: <read1>:
// CHECK-NOT: {{push|pop|call}}
// CHECK: retq
long read1(char *p) { return *p; }
// CHECK-LABEL: <read2>:
// CHECK-NOT: {{push|pop|call}}
// CHECK: retq
long read2(short *p) { return *p; }
// CHECK-LABEL: <read8>:
// CHECK-NOT: {{push|pop|call}}
// CHECK: retq
long read8(long *p) { return *p; }
// CHECK-LABEL: <read16>:
// CHECK-NOT: {{push|pop|call}}
// CHECK: retq
long read16(__int128 *p) { return (long)*p; }
struct __attribute__((packed)) packed2 { short x; };
struct __attribute__((packed)) packed4 { int x; };
struct __attribute__((packed)) packed8 { long x; };
// CHECK-LABEL: <write_unaligned2>:
// CHECK-NOT: {{push|pop|call}}
// CHECK: retq
void write_unaligned2(struct packed2 *p) { p->x = 1; }
// CHECK-LABEL: <read_unaligned2>:
// CHECK-NOT: {{push|pop|call}}
// CHECK: retq
long read_unaligned2(struct packed2 *p) { return p->x; }
// CHECK-LABEL: <write_unaligned4>:
// CHECK-NOT: {{push|pop|call}}
// CHECK: retq
void write_unaligned4(struct packed4 *p) { p->x = 1; }
// CHECK-LABEL: <read_unaligned4>:
// CHECK-NOT: {{push|pop|call}}
// CHECK: retq
long read_unaligned4(struct packed4 *p) { return p->x; }
// CHECK-LABEL: <write_unaligned8>:
// CHECK-NOT: {{push|pop|call}}
// CHECK: retq
void write_unaligned8(struct packed8 *p) { p->x = 1; }
// CHECK-LABEL: <read_unaligned8>:
// CHECK-NOT: {{push|pop|call}}
// CHECK: retq
long read_unaligned8(struct packed8 *p) { return p->x; }
