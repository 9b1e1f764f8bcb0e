; Checks behind a release that are enough for accesses before it.
; RUN: %place=deadheat-place,verify %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

declare void @other()

; What is called may release, and acquire. Behind a release a check is made again, and is enough for what comes before
; it, if nothing acquires in between.
; CHECK-LABEL: @across(
; CHECK: call void @__dh_check_read4(ptr %p)
; CHECK: call void @other()
; CHECK-NOT: call void @__dh_check
; CHECK: call void @__dh_atomic32_store(
; CHECK-NOT: call void @__dh_check
; CHECK: fence
; CHECK: call void @__dh_check_write4(ptr %p)
define void @across(ptr %p, ptr %q) sanitize_thread {
  %a = load i32, ptr %p, align 4
  call void @other()
  %b = load i32, ptr %p, align 4
  store atomic i32 1, ptr %q release, align 4
  %c = load i32, ptr %p, align 4
  fence release
  store i32 2, ptr %p, align 4
  ret void
}

; The one behind is another place, or less, or perhaps not there, or behind an acquire.
; CHECK-LABEL: @not_enough(
; CHECK: call void @__dh_check_write4(ptr %p)
; CHECK: call void @__dh_check_read4(ptr %q)
; CHECK: call void @__dh_atomic32_store(
; CHECK: call void @__dh_check_read4(ptr %p)
; CHECK: call i32 @__dh_atomic32_load(
; CHECK: call void @__dh_check_write4(ptr %p)
; CHECK: call void @__dh_atomic32_store(
; CHECK: call void @__dh_check_read4(ptr %q)
; CHECK: more:
; CHECK: call void @__dh_check_write4(ptr %p)
define void @not_enough(ptr %p, ptr %q, ptr %flag, i1 %c) sanitize_thread {
  store i32 0, ptr %p, align 4
  %a = load i32, ptr %q, align 4
  store atomic i32 1, ptr %flag release, align 4
  %b = load i32, ptr %p, align 4
  %d = load atomic i32, ptr %flag acquire, align 4
  store i32 2, ptr %p, align 4
  store atomic i32 1, ptr %flag release, align 4
  %e = load i32, ptr %q, align 4
  br i1 %c, label %more, label %done
more:
  store i32 3, ptr %p, align 4
  br label %done
done:
  ret void
}
