// The table of field names: by position, the same at all levels, without what is ambiguous.
// RUN: %dhcc -O0 -g -c %s -o %t.o && llvm-readelf -p deadheat_fields %t.o | FileCheck %s
// RUN: %dhcc -O2 -g -c %s -o %t.o && llvm-readelf -p deadheat_fields %t.o | FileCheck %s
// RUN: %dhcc -O2 -fno-strict-aliasing -g -c %s -o %t.o && llvm-readelf -p deadheat_fields %t.o | FileCheck %s
// RUN: %dhcc -O2 -c %s -o %t.o && llvm-readelf -S %t.o | FileCheck %s --check-prefix=NONE
typedef struct { int a, b; } Pair;
struct inner { int x, y; };
struct outer {
    struct outer *next;
    int v;
    unsigned few : 3, many : 11;
    struct inner in[4];
    Pair pair;
    struct { int q; } unnamed;
    union { int i; float f; } u;
    char tail[];
};
struct local_only { long a; unsigned alone : 7; };
struct local_only *get(void);
int table[4];
#define LOOK_UP(p) table[(p)->v]

struct first { struct inner in[2]; long rest; } whole;
// CHECK: {{.*}}fields.c{{[^0-9]+}}[[#@LINE+1]]{{[^0-9]+}}35{{[^0-9]+}}struct first.in[].x{{$}}
int f0(void) { return whole.in[0].x; }
// CHECK: {{.*}}fields.c{{[^0-9]+}}[[#@LINE+1]]{{[^0-9]+}}37{{[^0-9]+}}struct outer.v{{$}}
int f1(struct outer *p) { return p->v; }
void f(struct outer *p, int i) {
    struct local_only *o = get();
// CHECK: [[#@LINE+1]]{{[^0-9]+}}10{{[^0-9]+}}struct local_only.a{{$}}
    o->a = 1;
// CHECK: [[#@LINE+1]]{{[^0-9]+}}14{{[^0-9]+}}struct local_only.alone{{$}}
    o->alone = 1;
// CHECK: [[#@LINE+2]]{{[^0-9]+}}16{{[^0-9]+}}struct outer.v{{$}}
// CHECK: [[#@LINE+1]]{{[^0-9]+}}8{{[^0-9]+}}struct outer.next{{$}}
    p->next->v = 3;
// CHECK: [[#@LINE+1]]{{[^0-9]+}}16{{[^0-9]+}}struct outer.in[].y{{$}}
    p->in[i].y = 2;
// CHECK: [[#@LINE+1]]{{[^0-9]+}}15{{[^0-9]+}}struct outer.pair.b{{$}}
    p->pair.b += 2;
// CHECK: [[#@LINE+1]]{{[^0-9]+}}18{{[^0-9]+}}struct outer.unnamed.q{{$}}
    p->unnamed.q = 4;
// CHECK: [[#@LINE+1]]{{[^0-9]+}}12{{[^0-9]+}}struct outer.u{{$}}
    p->u.f = 5;
// CHECK: [[#@LINE+1]]{{[^0-9]+}}16{{[^0-9]+}}struct outer.tail[]{{$}}
    p->tail[i] = 6;
// CHECK: [[#@LINE+1]]{{[^0-9]+}}24{{[^0-9]+}}Pair.a{{$}}
    ((Pair *)get())->a = 7;
// Which bit-field is not told by the address, and one column stands for two fields, or for a field and something else.
// CHECK-NOT: struct
    p->few = 1, p->many = 2;
    p->pair = *(Pair *)&p->in[1];
    i = LOOK_UP(p);
}
// NONE-NOT: deadheat_fields
