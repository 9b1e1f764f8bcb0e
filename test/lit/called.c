// In a function with many checks they are called, and keep registers as the slow exits do; elsewhere they are
// inlined.
// RUN: %dhcc -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %dhcc -O0 -S -emit-llvm %s -o - | FileCheck %s

struct list {
    struct list *next;
    int value;
};
#define EIGHT(l) ((l)->next->next->next->next->next->next->next->next)

// CHECK-LABEL: define {{.*}} @few(
// CHECK-NOT: @__dh_called
// CHECK: call preserve_mostcc void @__dh_read8_slow(
// CHECK-NOT: @__dh_called
// CHECK: ret
int few(struct list *l) { return EIGHT(l)->value; }

// CHECK-LABEL: define {{.*}} @many(
// CHECK-NOT: _slow
// CHECK-COUNT-32: call preserve_mostcc void @__dh_called_read8(
// CHECK-NOT: _slow
// CHECK: call preserve_mostcc void @__dh_called_write4(
// CHECK-NOT: _slow
// CHECK: ret
void many(struct list *l) { EIGHT(EIGHT(EIGHT(EIGHT(l))))->value = 1; }

// CHECK: declare preserve_mostcc void @__dh_called_read8(ptr) [[exit:#[0-9]+]]
// CHECK: attributes [[exit]] = { {{.*}}nonlazybind
