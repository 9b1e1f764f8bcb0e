// accesses = kept + what was dropped for each reason, at every level of optimisation.
// RUN: for o in 0 1 2 3 s; do %dhcc -O$o -c %s -o %t.o -Xclang -mllvm -Xclang -deadheat-stats; done 2>&1 | FileCheck %s
#include <stdatomic.h>
#include <string.h>

struct node { struct node *next; int value[8]; };
static const int table[4] = {1, 2, 3, 4};
_Atomic int counter;
struct node *head;

int f(int n, struct node *p, char *buffer) {
    int local[16], sum = 0;
    for (int i = 0; i < 16; i++) local[i] = table[i & 3] * n;
    for (struct node *q = head; q; q = q->next)
        for (int i = 0; i < 8; i++) sum += q->value[i] + local[(i + n) & 15];
    atomic_fetch_add(&counter, sum);
    atomic_signal_fence(memory_order_seq_cst);
    memcpy(buffer, p, sizeof *p);
    return sum;
}

// CHECK-COUNT-5: {{^}}deadheat: checks placed in
// CHECK-NOT: deadheat:
//
// RUN: for o in 0 2; do %dhcc -O$o -c %s -o %t.o -Xclang -mllvm -Xclang -deadheat-stats; done 2>&1 | FileCheck %s --check-prefix=SUM
// SUM:      {{^ *}}[[#%u,KEPT:]] kept
// SUM-NEXT: {{^ *}}[[#%u,LOCAL:]] local
// SUM-NEXT: {{^ *}}[[#%u,THREAD:]] thread
// SUM-NEXT: {{^ *}}[[#%u,CONSTANT:]] constant
// SUM-NEXT: {{^ *}}[[#%u,VTABLE:]] vtable
// SUM-NEXT: {{^ *}}[[#%u,SPACE:]] space
// SUM-NEXT: {{^ *}}[[#%u,COVERAGE:]] coverage
// SUM-NEXT: {{^ *}}[[#%u,NOSANITIZE:]] nosanitize
// SUM-NEXT: {{^ *}}[[#%u,EMPTY:]] empty
// SUM-NEXT: {{^ *}}[[#%u,SIGNAL:]] signal
// SUM-NEXT: {{^ *}}[[#%u,SCALABLE:]] scalable
// SUM-NEXT: {{^ *}}[[#%u,MISFIT:]] misfit
// SUM-NEXT: {{^ *}}[[#%u,REDUNDANT:]] redundant
// SUM-NEXT: {{^ *}}[[#%u,CALLERS:]] callers
// SUM-NEXT: {{^ *}}[[#%u,RETURNED:]] returned
// SUM-NEXT: {{^ *}}[[#%u,CALLED:]] called
// SUM-NEXT: {{^ *}}[[#%u,WITHIN:]] within
// SUM-NEXT: {{^ *}}[[#%u,GROUPED:]] grouped
// SUM-NEXT: {{^ *}}[[#%u,MERGED:]] merged
// SUM-NEXT: {{^ *}}[[#KEPT+LOCAL+THREAD+CONSTANT+VTABLE+SPACE+COVERAGE+NOSANITIZE+EMPTY+SIGNAL+SCALABLE+MISFIT+REDUNDANT+CALLERS+RETURNED+CALLED+WITHIN+GROUPED+MERGED]] accesses
// SUM:      {{^ *}}[[#%u,KEPT:]] kept
// SUM-NEXT: {{^ *}}[[#%u,LOCAL:]] local
// SUM-NEXT: {{^ *}}[[#%u,THREAD:]] thread
// SUM-NEXT: {{^ *}}[[#%u,CONSTANT:]] constant
// SUM-NEXT: {{^ *}}[[#%u,VTABLE:]] vtable
// SUM-NEXT: {{^ *}}[[#%u,SPACE:]] space
// SUM-NEXT: {{^ *}}[[#%u,COVERAGE:]] coverage
// SUM-NEXT: {{^ *}}[[#%u,NOSANITIZE:]] nosanitize
// SUM-NEXT: {{^ *}}[[#%u,EMPTY:]] empty
// SUM-NEXT: {{^ *}}[[#%u,SIGNAL:]] signal
// SUM-NEXT: {{^ *}}[[#%u,SCALABLE:]] scalable
// SUM-NEXT: {{^ *}}[[#%u,MISFIT:]] misfit
// SUM-NEXT: {{^ *}}[[#%u,REDUNDANT:]] redundant
// SUM-NEXT: {{^ *}}[[#%u,CALLERS:]] callers
// SUM-NEXT: {{^ *}}[[#%u,RETURNED:]] returned
// SUM-NEXT: {{^ *}}[[#%u,CALLED:]] called
// SUM-NEXT: {{^ *}}[[#%u,WITHIN:]] within
// SUM-NEXT: {{^ *}}[[#%u,GROUPED:]] grouped
// SUM-NEXT: {{^ *}}[[#%u,MERGED:]] merged
// SUM-NEXT: {{^ *}}[[#KEPT+LOCAL+THREAD+CONSTANT+VTABLE+SPACE+COVERAGE+NOSANITIZE+EMPTY+SIGNAL+SCALABLE+MISFIT+REDUNDANT+CALLERS+RETURNED+CALLED+WITHIN+GROUPED+MERGED]] accesses
