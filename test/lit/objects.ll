; Addresses that are computed in different ways are the same object where arithmetic says so, and a check is good for
; all bytes within its own.
; RUN: %place=deadheat-place,verify %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.point = type { i64, i64, i32, i32 }
@table = global [8 x %struct.point] zeroinitializer, align 8

; Two ways to p + 24 * i + 8.
; CHECK-LABEL: @equal(
; CHECK: call void @__dh_check_write8(
; CHECK-NOT: call
; CHECK: ret
define i64 @equal(ptr %p, i64 %i) sanitize_thread {
  %a = getelementptr %struct.point, ptr %p, i64 %i, i32 1
  store i64 1, ptr %a, align 8
  %bytes = mul i64 %i, 24
  %next = add i64 %bytes, 24
  %q = getelementptr i8, ptr %p, i64 %next
  %b = getelementptr i8, ptr %q, i64 -16
  %v = load i64, ptr %b, align 8
  ret i64 %v
}

; Fields of an element share a test.
; CHECK-LABEL: @element(
; CHECK: call zeroext i1 @__dh_check_write_cells2(
; CHECK: call void @__dh_missed_write8(
; CHECK: call void @__dh_missed_write8(
; CHECK-NOT: @__dh_check
; CHECK: ret
define void @element(i64 %i) sanitize_thread {
  %a = getelementptr [8 x %struct.point], ptr @table, i64 0, i64 %i
  %b = getelementptr [8 x %struct.point], ptr @table, i64 0, i64 %i, i32 1
  store i64 1, ptr %a, align 8
  store i64 2, ptr %b, align 8
  ret void
}

; An index of 32 bits that does not wrap is as good as one of 64.
; CHECK-LABEL: @narrow(
; CHECK: call void @__dh_check_write4(
; CHECK-NOT: call
; CHECK: ret
define void @narrow(ptr %p, i32 %i) sanitize_thread {
  %wide = sext i32 %i to i64
  %here = getelementptr i32, ptr %p, i64 %wide
  store i32 1, ptr %here, align 4
  %more = add nsw i32 %i, 1
  %wider = sext i32 %more to i64
  %there = getelementptr i32, ptr %p, i64 %wider
  %same = getelementptr i32, ptr %there, i64 -1
  store i32 2, ptr %same, align 4
  ret void
}

; One that may wrap is not, nor is one whose sign is not known.
; CHECK-LABEL: @wraps(
; CHECK: call void @__dh_check_write4(
; CHECK: call void @__dh_check_write4(
; CHECK: call void @__dh_check_write4(
; CHECK: ret
define void @wraps(ptr %p, i32 %i) sanitize_thread {
  %wide = sext i32 %i to i64
  %here = getelementptr i32, ptr %p, i64 %wide
  store i32 1, ptr %here, align 4
  %more = add i32 %i, 1
  %wider = sext i32 %more to i64
  %there = getelementptr i32, ptr %p, i64 %wider
  %other = getelementptr i32, ptr %there, i64 -1
  store i32 2, ptr %other, align 4
  %without = zext i32 %i to i64
  %last = getelementptr i32, ptr %p, i64 %without
  store i32 3, ptr %last, align 4
  ret void
}

; The object is another in each round.
; CHECK-LABEL: @rounds(
; CHECK: loop:
; CHECK: call void @__dh_check_write4(
; CHECK: inner:
; CHECK: ret
define void @rounds(ptr %p, i64 %n, i32 %v) sanitize_thread {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %inner ]
  %at = getelementptr [4 x i32], ptr %p, i64 %i, i64 1
  %skip = icmp eq i64 %i, 5
  br i1 %skip, label %inner, label %yes
yes:
  store i32 %v, ptr %at, align 4
  br label %inner
inner:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; What is within is checked with it; a read is within a write behind it.
; CHECK-LABEL: @within(
; CHECK: call void @__dh_check_write_range(ptr %p, i64 24)
; CHECK-NOT: call void @__dh_check
; CHECK: call void @llvm.memset
; CHECK: call void @__dh_check_read4(
; CHECK-NOT: call void @__dh_check
; CHECK: ret
define i32 @within(ptr %p) sanitize_thread {
  call void @llvm.memset.p0.i64(ptr align 8 %p, i8 0, i64 24, i1 false)
  %x = getelementptr i8, ptr %p, i64 20
  store i32 1, ptr %x, align 4
  %y = getelementptr i8, ptr %p, i64 24
  %v = load i32, ptr %y, align 4
  ret i32 %v
}

; CHECK-LABEL: @behind(
; CHECK-NOT: call
; CHECK: call void @__dh_check_write8(
; CHECK-NOT: call
; CHECK: ret
define i32 @behind(ptr %p) sanitize_thread {
  %y = getelementptr i8, ptr %p, i64 4
  %v = load i32, ptr %y, align 4
  store i64 7, ptr %p, align 8
  ret i32 %v
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
