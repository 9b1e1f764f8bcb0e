; Memory intrinsics: the source is read, the destination written. Small constant sizes have a check.
; RUN: %place=deadheat-place,verify %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

define void @copies(ptr %d, ptr %s, ptr %e, i64 %n, i32 %m) sanitize_thread {
; CHECK-LABEL: @copies
; CHECK-NEXT: call void @__dh_check_read_range(ptr %s, i64 %n)
; CHECK-NEXT: call void @__dh_check_write_range(ptr %d, i64 %n)
; CHECK-NEXT: call void @llvm.memcpy.p0.p0.i64
; CHECK-NEXT: [[M:%.*]] = zext i32 %m to i64
; CHECK-NEXT: call void @__dh_check_read_range(ptr %s, i64 [[M]])
; CHECK: call void @__dh_check_write_range(ptr %d
; CHECK-NEXT: call void @llvm.memmove
; CHECK-NEXT: call void @__dh_check_write_range(ptr %e, i64 %n)
; CHECK-NEXT: call void @llvm.memset.p0
; CHECK-NEXT: call void @__dh_check_read8(ptr %s)
; CHECK-NEXT: call void @__dh_check_write8_unaligned(ptr %d)
; CHECK-NEXT: call void @llvm.memcpy.inline
; CHECK-NEXT: call void @__dh_check_write_range(ptr %d, i64 100)
; CHECK-NEXT: call void @llvm.memset.inline
; CHECK-NEXT: call void @llvm.memset.p0.i64(ptr %d, i8 0, i64 0
; CHECK-NEXT: ret void
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 %n, i1 false)
  call void @llvm.memmove.p0.p0.i32(ptr %d, ptr %s, i32 %m, i1 true)
  call void @llvm.memset.p0.i64(ptr %e, i8 0, i64 %n, i1 false)
  call void @llvm.memcpy.inline.p0.p0.i64(ptr align 4 %d, ptr align 8 %s, i64 8, i1 false)
  call void @llvm.memset.inline.p0.i64(ptr %d, i8 0, i64 100, i1 false)
  call void @llvm.memset.p0.i64(ptr %d, i8 0, i64 0, i1 false)
  ret void
}

%pair = type { i64, i64, i64 }
declare void @callee(ptr byval(%pair) align 8)
declare void @result(ptr sret(%pair))

; The caller makes the copy. What the callee gets is a local of its own.
define void @caller(ptr %p) sanitize_thread personality ptr null {
; CHECK-LABEL: @caller
; CHECK-NEXT: call void @__dh_check_read_range(ptr %p, i64 24)
; CHECK-NEXT: call void @callee
; CHECK-NEXT: call void @__dh_check_read_range(ptr %p, i64 24)
; CHECK-NEXT: invoke void @callee
  call void @callee(ptr byval(%pair) align 8 %p)
  invoke void @callee(ptr byval(%pair) align 8 %p) to label %next unwind label %pad
next:
  ret void
pad:
  %x = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %x
}

define i64 @byval(ptr byval(%pair) %p) sanitize_thread {
; CHECK-LABEL: @byval
; CHECK-NEXT: load i64
  %v = load i64, ptr %p
  ret i64 %v
}

define void @sret(ptr sret(%pair) %p) sanitize_thread {
; CHECK-LABEL: @sret
; CHECK-NEXT: call void @__dh_check_write8(ptr %p)
  store i64 0, ptr %p
  ret void
}

define void @variadic(ptr %list, ptr %other, ...) sanitize_thread {
; CHECK-LABEL: @variadic
; CHECK-NEXT: call void @__dh_check_write_range(ptr %list, i64 24)
; CHECK-NEXT: call void @llvm.va_start
; (The read of what va_start wrote is redundant.)
; CHECK-NEXT: call void @__dh_check_write_range(ptr %other, i64 24)
; CHECK-NEXT: call void @llvm.va_copy
  call void @llvm.va_start.p0(ptr %list)
  call void @llvm.va_copy.p0(ptr %other, ptr %list)
  call void @llvm.va_end.p0(ptr %list)
  ret void
}
