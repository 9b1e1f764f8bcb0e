// Functions that are left alone: by the user's wish, or because no check could run there.
// RUN: %ir %s | %place=deadheat-place,verify | FileCheck %s
int g;

// CHECK-LABEL: @checked
// CHECK: call void @__dh_check_write4(ptr @g)
void checked(void) { g = 1; }

// CHECK-LABEL: @no_sanitize
// CHECK-NOT: @__dh_
// CHECK: ret
__attribute__((no_sanitize("thread"))) void no_sanitize(void) { g = 1; }

// CHECK-LABEL: @disabled
// CHECK-NOT: @__dh_
// CHECK: ret
__attribute__((disable_sanitizer_instrumentation)) void disabled(void) { g = 1; }

// CHECK-LABEL: @naked
// CHECK-NOT: @__dh_
// CHECK: unreachable
__attribute__((naked)) void naked(void) { __asm__("ret"); }

// CHECK-LABEL: @resolver
// CHECK-NOT: @__dh_
// CHECK: ret
static void *resolver(void) { return g ? (void *)checked : (void *)naked; }
void chosen(void) __attribute__((ifunc("resolver")));
