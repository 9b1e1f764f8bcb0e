; What calls may do to checks (ir/effects.h): those that are known to do nothing of the kind leave what was checked
; as it is, and may stand in loops whose checks go before them. All others end both.
; RUN: %place=deadheat-place,verify %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

declare double @pow(double, double)
declare i32 @log(ptr)
declare i64 @strlen(ptr)
declare void @unknown()
declare void @free(ptr)

define internal i32 @computes(i32 %a) nounwind {
  %b = mul i32 %a, 3
  ret i32 %b
}
define internal i32 @calls_quiet(i32 %a) nounwind {
  %b = call i32 @computes(i32 %a)
  %c = call double @pow(double 1.0, double 2.0)
  ret i32 %b
}
define internal i32 @counts(i32 %n) nounwind {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %i
}
define internal void @spins(ptr %flag) nounwind {
entry:
  br label %loop
loop:
  %f = load volatile i32, ptr %flag, align 4
  %more = icmp eq i32 %f, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}
define internal void @releases(ptr %flag) nounwind {
  store atomic i32 1, ptr %flag release, align 4
  ret void
}
define internal i32 @acquires(ptr %flag) nounwind {
  %f = load atomic i32, ptr %flag acquire, align 4
  ret i32 %f
}
define internal void @frees(ptr %p) nounwind {
  call void @free(ptr %p)
  ret void
}
define internal void @calls_unknown() nounwind {
  call void @unknown()
  ret void
}
define internal i32 @recurses(i32 %n) nounwind {
  %end = icmp eq i32 %n, 0
  br i1 %end, label %out, label %on
on:
  %m = sub i32 %n, 1
  %r = call i32 @recurses(i32 %m)
  br label %out
out:
  ret i32 %n
}
define internal i32 @throws(i32 %a) {
  ret i32 %a
}
define weak i32 @replaceable(i32 %a) nounwind {
  ret i32 %a
}

; CHECK-LABEL: @kept(
; CHECK: call void @__dh_check_write4(ptr %p)
; CHECK-NOT: call void @__dh
; CHECK: ret
define void @kept(ptr %p, ptr %s) sanitize_thread {
  store i32 0, ptr %p, align 4
  call i32 @computes(i32 1)
  store i32 1, ptr %p, align 4
  call i32 @calls_quiet(i32 1)
  store i32 2, ptr %p, align 4
  call i32 @counts(i32 100)
  store i32 3, ptr %p, align 4
  call i64 @strlen(ptr %s)
  store i32 4, ptr %p, align 4
  call i32 asm "bsf $1, $0", "=r,r"(i32 5) memory(none)
  store i32 5, ptr %p, align 4
  ret void
}

; An acquire does not end what was checked; a relaxed atomic does nothing.
; CHECK-LABEL: @acquired(
; CHECK: call void @__dh_check_write4(ptr %p)
; CHECK-NOT: call void @__dh_check
; CHECK: ret
define void @acquired(ptr %p, ptr %q) sanitize_thread {
  store i32 0, ptr %p, align 4
  %a = call i32 @acquires(ptr %q)
  store i32 1, ptr %p, align 4
  %b = load atomic i32, ptr %q acquire, align 4
  store i32 2, ptr %p, align 4
  store atomic i32 1, ptr %q monotonic, align 4
  store i32 3, ptr %p, align 4
  ret void
}

; All end it. The first has none: after a release the next one's is enough for both.
; CHECK-LABEL: @ended(
; CHECK-COUNT-10: call void @__dh_check_write4(ptr %p)
; CHECK: ret
define void @ended(ptr %p, ptr %q, ptr %f) sanitize_thread {
  store i32 0, ptr %p, align 4
  call void @releases(ptr %q)
  store i32 1, ptr %p, align 4
  call void @spins(ptr %q)
  store i32 2, ptr %p, align 4
  call void @frees(ptr %q)
  store i32 3, ptr %p, align 4
  call void @calls_unknown()
  store i32 4, ptr %p, align 4
  call i32 @recurses(i32 3)
  store i32 5, ptr %p, align 4
  call i32 @throws(i32 3)
  store i32 6, ptr %p, align 4
  call i32 @replaceable(i32 3)
  store i32 7, ptr %p, align 4
  call void %f()
  store i32 8, ptr %p, align 4
  call void asm sideeffect "", "~{memory}"()
  store i32 9, ptr %p, align 4
  call i32 @log(ptr %q)
  store i32 10, ptr %p, align 4
  ret void
}

; CHECK-LABEL: @loop_computes(
; CHECK: call void @__dh_check_write_run(
; CHECK-NOT: call void @__dh
; CHECK: ret
define void @loop_computes(ptr %a, i64 %n) sanitize_thread {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %v = call i32 @calls_quiet(i32 1)
  %p = getelementptr i32, ptr %a, i64 %i
  store i32 %v, ptr %p, align 4
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: @loop_acquires(
; CHECK-NOT: _run(
; CHECK: ret
define void @loop_acquires(ptr %a, ptr %q, i64 %n) sanitize_thread {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %v = call i32 @acquires(ptr %q)
  %p = getelementptr i32, ptr %a, i64 %i
  store i32 %v, ptr %p, align 4
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A loop that ends: what is checked in the first round holds in the others, however it ends.
; CHECK-LABEL: @bound_changes(
; CHECK: call void @__dh_check_read8(ptr %n)
; CHECK-NOT: call void @__dh
; CHECK: ret
define void @bound_changes(ptr %n) sanitize_thread {
entry:
  %b = load i64, ptr %n, align 8
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add nsw i64 %i, 1
  %c = load i64, ptr %n, align 8
  %more = icmp slt i64 %next, %c
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Loops within loops: the outer one's own accesses go before it, the inner one's before that.
; CHECK-LABEL: @nested(
; CHECK: outer.pre:
; CHECK: call void @__dh_check_read_run(ptr {{.*}}, i64 8, i64 8
; CHECK: outer:
; CHECK: call void @__dh_check_write_run(ptr {{.*}}, i64 4, i64 4
; CHECK: inner:
; CHECK-NOT: call void @__dh
; CHECK: ret
define void @nested(ptr %rows, i64 %n) sanitize_thread {
entry:
  br label %outer.pre
outer.pre:
  br label %outer
outer:
  %i = phi i64 [ 0, %outer.pre ], [ %next, %outer.latch ]
  %at = getelementptr ptr, ptr %rows, i64 %i
  %row = load ptr, ptr %at, align 8
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %p = getelementptr i32, ptr %row, i64 %j
  store i32 0, ptr %p, align 4
  %j.next = add nuw i64 %j, 1
  %j.more = icmp ult i64 %j.next, %n
  br i1 %j.more, label %inner, label %outer.latch
outer.latch:
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %outer, label %end
end:
  ret void
}
