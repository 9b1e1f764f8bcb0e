// Control flow that compilers trip over: computed goto, asm goto, musttail, setjmp, a large switch.
// RUN: for o in 0 1 2 3; do %dhcc -O$o -g -c -emit-llvm %s -o %t.bc && opt -passes=verify -disable-output %t.bc && %dhcc -x ir -c %t.bc -o %t.o || exit 1; done
#include <setjmp.h>
int g;
jmp_buf env;

int interpret(unsigned char *code, int *stack) {
    static void *const labels[] = {&&push, &&add, &&stop};
    goto *labels[*code];
push:
    *stack++ = code[1], code += 2;
    goto *labels[*code];
add:
    stack--, stack[-1] += *stack, code++;
    goto *labels[*code];
stop:
    return stack[-1];
}

int asm_goto(int *p) {
    __asm__ goto("testl %0, %0\n\tjz %l[zero]" : : "r"(*p) : "cc" : zero);
    g = *p;
    return 1;
zero:
    return *p = 0;
}

struct big { long a[8]; };
__attribute__((noinline)) long by_value(struct big b, int n) {
    if (n == 0) return b.a[n];
    __attribute__((musttail)) return by_value(b, n - 1);
}

int jumps(int *volatile p) {
    if (setjmp(env)) return *p;
    *p = 1;
    longjmp(env, 1);
}
