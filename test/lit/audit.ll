; Audited code: each check is announced and ended, each access that is not exempt is told, whether a check stands
; at it or not, and the module says that it is audited.
; RUN: %place=deadheat-place,verify -deadheat-audit %s | FileCheck %s
; RUN: %place=deadheat-place,verify %s | FileCheck %s --check-prefix=PLAIN
; PLAIN-NOT: @__dh_audit
target triple = "x86_64-pc-linux-gnu"

; CHECK: @__dh_audited = weak_odr constant i8 1

; The check of the write makes one of the read redundant, which is told all the same.
define i32 @plain(ptr %p) sanitize_thread {
; CHECK-LABEL: @plain
; CHECK-NEXT: call void @__dh_audit_access(ptr %p, i64 4, i32 0)
; CHECK-NEXT: load i32
; CHECK-NEXT: call void @__dh_audit_check(ptr %p, i64 4, i32 1)
; CHECK-NEXT: call void @__dh_check_write4(ptr %p)
; CHECK-NEXT: call void @__dh_audit_checked()
; CHECK-NEXT: call void @__dh_audit_access(ptr %p, i64 4, i32 1)
; CHECK-NEXT: store i32
  %v = load i32, ptr %p, align 4
  store i32 1, ptr %p, align 4
  ret i32 %v
}

; Nobody else sees it.
define void @exempt() sanitize_thread {
; CHECK-LABEL: @exempt
; CHECK-NOT: audit
; CHECK: ret void
  %p = alloca i32
  store i32 1, ptr %p
  ret void
}

; The runtime performs it, and tells.
define void @atomic(ptr %p) sanitize_thread {
; CHECK-LABEL: @atomic
; CHECK-NOT: audit
; CHECK: ret void
  store atomic i32 1, ptr %p seq_cst, align 4
  ret void
}

define void @ranges(ptr %d, ptr %s, i64 %n, <8 x i1> %m, <8 x i32> %v) sanitize_thread {
; CHECK-LABEL: @ranges
; CHECK: call void @__dh_audit_check(ptr %s, i64 %n, i32 0)
; CHECK-NEXT: call void @__dh_check_read_range(ptr %s, i64 %n)
; CHECK-NEXT: call void @__dh_audit_checked()
; CHECK-NEXT: call void @__dh_audit_check(ptr %d, i64 %n, i32 1)
; CHECK-NEXT: call void @__dh_check_write_range(ptr %d, i64 %n)
; CHECK-NEXT: call void @__dh_audit_checked()
; CHECK-NEXT: call void @__dh_audit_access(ptr %s, i64 %n, i32 0)
; CHECK-NEXT: call void @__dh_audit_access(ptr %d, i64 %n, i32 1)
; CHECK-NEXT: call void @llvm.memcpy
; CHECK: call void @__dh_audit_check_masked(ptr %d, i64 {{.*}}, i32 8, i32 4, i32 1)
; CHECK: call void @__dh_check_write_masked(ptr %d, i64 {{.*}}, i32 8, i32 4)
; CHECK-NEXT: call void @__dh_audit_checked()
; CHECK: call void @__dh_audit_masked(ptr %d, i64 {{.*}}, i32 8, i32 4, i32 1)
; CHECK-NEXT: call void @llvm.masked.store
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 %n, i1 false)
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %v, ptr %d, i32 4, <8 x i1> %m)
  ret void
}

; The check is before the loop, the accesses are inside.
define void @run(ptr %p, i64 %n) sanitize_thread {
; CHECK-LABEL: @run
; CHECK: call void @__dh_audit_check_run()
; CHECK-NEXT: call void @__dh_check_write_run(ptr {{.*}}, i64 8, i64 8, i64
; CHECK-NEXT: call void @__dh_audit_checked()
; CHECK: loop:
; CHECK: call void @__dh_audit_access(ptr %at, i64 8, i32 1)
; CHECK-NEXT: store i64
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr inbounds i64, ptr %p, i64 %i
  store i64 7, ptr %at, align 8
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.masked.store.v8i32.p0(<8 x i32>, ptr, i32, <8 x i1>)
