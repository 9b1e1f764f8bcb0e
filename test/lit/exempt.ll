; Memory that is never written, or is not the program's. The statistics name each reason.
; RUN: %place=deadheat-place,verify -deadheat-stats %s -o %t.ll 2>%t.stats
; RUN: FileCheck %s <%t.ll
; RUN: FileCheck %s --check-prefix=STATS <%t.stats
target triple = "x86_64-pc-linux-gnu"

@table = constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@variable = global i32 0
@tls = thread_local global i32 0
@__profc_f = private global [1 x i64] zeroinitializer
@__llvm_gcov_ctr = internal global [1 x i64] zeroinitializer

define i32 @constant(i64 %i, ptr %d) sanitize_thread {
; CHECK-LABEL: @constant
; CHECK-NOT: read
; CHECK: call void @__dh_check_write16(ptr %d)
; CHECK-NOT: read
; CHECK: ret
  %p = getelementptr [4 x i32], ptr @table, i64 0, i64 %i
  %v = load i32, ptr %p
  %w = load i32, ptr %d, !invariant.load !0
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %d, ptr @table, i64 16, i1 false)
  ret i32 %v
}

; A virtual call: the object's pointer to its table may race, the table may not.
define ptr @virtual(ptr %object) sanitize_thread {
; CHECK-LABEL: @virtual
; CHECK-NEXT: call void @__dh_check_read8(ptr %object)
; CHECK-NEXT: %table = load ptr
; CHECK-NEXT: %slot = getelementptr
; CHECK-NEXT: %f = load ptr
  %table = load ptr, ptr %object, !tbaa !1
  %slot = getelementptr ptr, ptr %table, i64 3
  %f = load ptr, ptr %slot
  ret ptr %f
}

define i32 @spaces(ptr addrspace(256) %gs, ptr addrspace(257) %fs) sanitize_thread {
; CHECK-LABEL: @spaces
; CHECK-NOT: @__dh_
; CHECK: ret
  %v = load i32, ptr addrspace(256) %gs
  store i32 %v, ptr addrspace(257) %fs
  ret i32 %v
}

define void @counters() sanitize_thread {
; CHECK-LABEL: @counters
; CHECK-NOT: @__dh_
; CHECK: ret
  %v = load i64, ptr @__profc_f
  store i64 %v, ptr @__profc_f
  %o = atomicrmw add ptr @__llvm_gcov_ctr, i64 1 monotonic
  store i32 1, ptr @variable, !nosanitize !0
  ret void
}

; Thread-local variables are checked: their addresses may be given away.
define i32 @tls_and_global() sanitize_thread {
; CHECK-LABEL: @tls_and_global
; CHECK: [[T:%.*]] = call ptr @llvm.threadlocal.address
; CHECK-NEXT: call void @__dh_check_read4(ptr [[T]])
; CHECK: call void @__dh_check_write4(ptr @variable)
  %t = call ptr @llvm.threadlocal.address.p0(ptr @tls)
  %v = load i32, ptr %t
  store i32 %v, ptr @variable
  ret i32 %v
}

define void @scalable(ptr %p) sanitize_thread {
; CHECK-LABEL: @scalable
; CHECK-NOT: @__dh_
; CHECK: ret
  store <vscale x 4 x i32> zeroinitializer, ptr %p
  ret void
}

; STATS: 6 functions
; STATS: 4 kept
; STATS: 0 local
; STATS: 0 thread
; STATS: 3 constant
; STATS: 1 vtable
; STATS: 2 space
; STATS: 3 coverage
; STATS: 1 nosanitize
; STATS: 1 scalable
; STATS: 15 accesses

!0 = !{}
!1 = !{!2, !2, i64 0}
!2 = !{!"vtable pointer", !3, i64 0}
!3 = !{!"Simple C++ TBAA"}
