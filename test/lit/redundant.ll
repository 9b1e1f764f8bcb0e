; A check that another makes redundant is left out; where anything could come between them it is not.
; RUN: %place=deadheat-place,verify -load=%plugin -deadheat-detector=redcard %s | FileCheck %s
; RUN: %place=deadheat-place,verify %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

declare void @other()

; The write's check covers the read before it, and the accesses after it.
; CHECK-LABEL: @update(
; CHECK-NOT: call
; CHECK: call void @__dh_check_write4(ptr %p)
; CHECK-NOT: call
; CHECK: ret
define i32 @update(ptr %p) sanitize_thread {
  %a = load i32, ptr %p, align 4
  %b = add i32 %a, 1
  store i32 %b, ptr %p, align 4
  %c = load i32, ptr %p, align 4
  store i32 %c, ptr %p, align 4
  ret i32 %c
}

; A check of a read does not cover a write in another block, nor is the write sure to follow.
; CHECK-LABEL: @perhaps(
; CHECK: call void @__dh_check_read4(ptr %p)
; CHECK: call void @__dh_check_write4(ptr %p)
; CHECK-NOT: call
; CHECK: ret
define void @perhaps(ptr %p, i1 %c) sanitize_thread {
  %a = load i32, ptr %p, align 4
  br i1 %c, label %yes, label %no
yes:
  store i32 %a, ptr %p, align 4
  br label %no
no:
  ret void
}

; Checked on both ways, or on one.
; CHECK-LABEL: @both(
; CHECK: call void @__dh_check_read4(ptr %p)
; CHECK: call void @__dh_check_read8(ptr %q)
; CHECK: call void @__dh_check_write4(ptr %p)
; CHECK: join:
; CHECK-NOT: call void @__dh_check_read4(ptr %p)
; CHECK: call void @__dh_check_read8(ptr %q)
; CHECK-NOT: call
; CHECK: ret
define void @both(ptr %p, ptr %q, i1 %c) sanitize_thread {
  br i1 %c, label %left, label %right
left:
  %a = load i32, ptr %p, align 4
  %b = load i64, ptr %q, align 8
  br label %join
right:
  store i32 1, ptr %p, align 4
  br label %join
join:
  %x = load i32, ptr %p, align 4
  %y = load i64, ptr %q, align 8
  ret void
}

; What is called may release.
; CHECK-LABEL: @across(
; CHECK: call void @__dh_check_read4(ptr %p)
; CHECK: call void @other()
; CHECK: call void @__dh_check_read4(ptr %p)
define void @across(ptr %p) sanitize_thread {
  %a = load i32, ptr %p, align 4
  call void @other()
  %b = load i32, ptr %p, align 4
  ret void
}

; In each round the pointer is another; and each round is checked, for nobody knows how long the loop goes on.
; CHECK-LABEL: @list(
; CHECK: call void @__dh_check_read8(ptr %head)
; CHECK: loop:
; CHECK: call void @__dh_check_read8(ptr %head)
; CHECK: call void @__dh_check_read8(ptr %node)
; CHECK-NOT: call
; CHECK: ret
define void @list(ptr %head) sanitize_thread {
  %first = load ptr, ptr %head, align 8
  br label %loop
loop:
  %node = phi ptr [ %first, %0 ], [ %next, %loop ]
  %again = load ptr, ptr %head, align 8
  %next = load ptr, ptr %node, align 8
  %more = icmp ne ptr %next, null
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The same place by another way of writing its address; and another place.
; CHECK-LABEL: @fields(
; CHECK: call void @__dh_check_write4(ptr %b)
; CHECK-NOT: call void @__dh_check_read4(ptr %d)
; CHECK: call void @__dh_check_read4(ptr %e)
; CHECK-NOT: call
; CHECK: ret
define void @fields(ptr %p) sanitize_thread {
  %b = getelementptr i8, ptr %p, i64 12
  store i32 1, ptr %b, align 4
  %c = getelementptr i8, ptr %p, i64 4
  %d = getelementptr i8, ptr %c, i64 8
  %x = load i32, ptr %d, align 4
  %e = getelementptr i8, ptr %c, i64 12
  %y = load i32, ptr %e, align 4
  ret void
}
