; Which locals need no checks: those whose address goes nowhere.
; RUN: %place=deadheat-place,verify %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

declare void @keep(ptr)
declare void @borrow(ptr nocapture)
@g = global ptr null
@h = global i32 0

define i32 @local() sanitize_thread {
; CHECK-LABEL: @local
; CHECK-NOT: @__dh_
; CHECK: ret
  %a = alloca i32
  store i32 1, ptr %a
  %v = load i32, ptr %a
  ret i32 %v
}

define i32 @arithmetic(i64 %i, i1 %c) sanitize_thread {
; CHECK-LABEL: @arithmetic
; CHECK-NOT: @__dh_
; CHECK: ret
  %a = alloca [8 x i32]
  %b = alloca [8 x i32]
  %p = getelementptr [8 x i32], ptr %a, i64 0, i64 %i
  %q = select i1 %c, ptr %p, ptr %b
  store i32 1, ptr %q
  %e = icmp eq ptr %q, %p
  call void @llvm.memset.p0.i64(ptr %b, i8 0, i64 32, i1 false)
  call void @llvm.lifetime.end.p0(i64 32, ptr %b)
  %v = load i32, ptr %q
  ret i32 %v
}

define i32 @phi(i1 %c) sanitize_thread {
; CHECK-LABEL: @phi
; CHECK-NOT: @__dh_
; CHECK: ret
entry:
  %a = alloca [8 x i32]
  br label %loop
loop:
  %p = phi ptr [ %a, %entry ], [ %q, %loop ]
  %q = getelementptr i32, ptr %p, i64 1
  store i32 1, ptr %p
  br i1 %c, label %loop, label %done
done:
  ret i32 0
}

; One of the two may be seen by others, so the access is checked; the other's own accesses are not.
define void @mixed(i1 %c, ptr %shared) sanitize_thread {
; CHECK-LABEL: @mixed
; CHECK: store i32 1, ptr %a
; CHECK: call void @__dh_check_write4(ptr %p)
; CHECK-NEXT: store i32 2, ptr %p
  %a = alloca i32
  store i32 1, ptr %a
  %p = select i1 %c, ptr %a, ptr %shared
  store i32 2, ptr %p
  ret void
}

define void @stored() sanitize_thread {
; CHECK-LABEL: @stored
; CHECK: call void @__dh_check_write4(ptr %a)
; CHECK-NEXT: store i32 1, ptr %a
; CHECK: call void @__dh_check_write8(ptr @g)
  %a = alloca i32
  store i32 1, ptr %a
  store ptr %a, ptr @g
  ret void
}

define void @passed() sanitize_thread {
; CHECK-LABEL: @passed
; CHECK: call void @__dh_check_write4(ptr %a)
; CHECK-NEXT: store i32 1, ptr %a
; CHECK-NEXT: store i32 1, ptr %b
  %a = alloca i32
  %b = alloca i32
  store i32 1, ptr %a
  store i32 1, ptr %b
  call void @keep(ptr %a)
  call void @borrow(ptr %b)
  ret void
}

define i64 @as_integer() sanitize_thread {
; CHECK-LABEL: @as_integer
; CHECK: call void @__dh_check_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  %i = ptrtoint ptr %a to i64
  ret i64 %i
}

define void @swapped(ptr %p) sanitize_thread {
; CHECK-LABEL: @swapped
; CHECK: call void @__dh_check_write4(ptr %a)
; CHECK: call void @__dh_check_write4(ptr %b)
; CHECK: store i32 1, ptr %c
; CHECK: cmpxchg ptr %c
  %a = alloca i32
  %b = alloca i32
  %c = alloca i32
  store i32 1, ptr %a
  store i32 1, ptr %b
  store i32 1, ptr %c
  %x = atomicrmw xchg ptr %p, ptr %a seq_cst
  %y = cmpxchg ptr %p, ptr null, ptr %b seq_cst seq_cst
  %z = cmpxchg ptr %c, i32 0, i32 1 seq_cst seq_cst
  ret void
}

define void @asm() sanitize_thread {
; CHECK-LABEL: @asm
; CHECK: call void @__dh_check_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  call void asm sideeffect "", "r"(ptr %a)
  ret void
}

define void @bundled(i64 %n) sanitize_thread {
; CHECK-LABEL: @bundled
; CHECK-NOT: @__dh_
; CHECK: ret
  %a = alloca i32
  store i32 1, ptr %a
  call void @llvm.assume(i1 true) ["align"(ptr %a, i64 4)]
  ret void
}
