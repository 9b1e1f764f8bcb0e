; What every caller has checked, or what was called has, is not checked again; where somebody else may call, or
; anything could come between, it is.
; RUN: %place=deadheat-place,verify -load=%plugin -deadheat-detector=redcard %s | FileCheck %s
; RUN: %place=deadheat-place,verify -load=%plugin -deadheat-detector=slimcard %s | FileCheck %s --check-prefix=SLIM
; RUN: %place=deadheat-place,verify %s | FileCheck %s
; RUN: sed 's/;FLAG//' %s | %place=deadheat-place,verify | FileCheck %s --check-prefix=REPLACED
; RUN: %place=deadheat-place,verify -load=%plugin -deadheat-detector=fasttrack %s | FileCheck %s --check-prefix=EVERY
target triple = "x86_64-pc-linux-gnu"

%pair = type { i64, i64 }
@global = global i32 0
@pointer = global ptr @named
@escaped = alias void (ptr), ptr @aliased
declare void @other()
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_mutex_lock(ptr)

; Both callers have: at the place itself, and at a distance.
; CHECK-LABEL: @all(
; CHECK-NOT: call
; CHECK: ret
; EVERY-LABEL: @all(
; EVERY: call void @__dh_check_read8
; EVERY: call void @__dh_check_read4
; SLIM-LABEL: @all(
; SLIM-NOT: call
; SLIM: ret
define internal i64 @all(ptr %p, i32 %n) nounwind sanitize_thread {
  %second = getelementptr %pair, ptr %p, i64 0, i32 1
  %a = load i64, ptr %second
  %b = load i32, ptr @global
  ret i64 %a
}
define void @all_writes(ptr %p) nounwind sanitize_thread {
  store i32 1, ptr @global
  %second = getelementptr i8, ptr %p, i64 8
  store i64 1, ptr %second
  call i64 @all(ptr %p, i32 1)
  ret void
}
define void @all_reads(ptr %p) nounwind sanitize_thread {
  %third = getelementptr i64, ptr %p, i64 3
  %a = load i64, ptr %third
  %b = load i32, ptr @global
  %q = getelementptr %pair, ptr %p, i64 1
  call i64 @all(ptr %q, i32 1)
  ret void
}

; One caller reads, and the function writes.
; CHECK-LABEL: @stronger(
; CHECK: call void @__dh_check_write4(ptr %p)
define internal void @stronger(ptr %p) nounwind sanitize_thread {
  store i32 1, ptr %p
  ret void
}
define void @calls_stronger(ptr %p) nounwind sanitize_thread {
  %a = load i32, ptr %p
  call void @stronger(ptr %p)
  ret void
}

; Another place of the same object, and more bytes than were checked.
; CHECK-LABEL: @beside(
; CHECK: call void @__dh_check_read8(ptr %p)
define internal void @beside(ptr %p) nounwind sanitize_thread {
  %a = load i64, ptr %p
  ret void
}
define void @calls_beside(ptr %p) nounwind sanitize_thread {
  %a = load i64, ptr %p
  %q = getelementptr i8, ptr %p, i64 4
  call void @beside(ptr %q)
  ret void
}

; One of two callers has, on one of two ways.
; CHECK-LABEL: @perhaps(
; CHECK: call void @__dh_check_read4(ptr %p)
define internal void @perhaps(ptr %p) nounwind sanitize_thread {
  %a = load i32, ptr %p
  ret void
}
define void @calls_perhaps(ptr %p, i1 %c) nounwind sanitize_thread {
  br i1 %c, label %yes, label %no
yes:
  %a = load i32, ptr %p
  br label %no
no:
  call void @perhaps(ptr %p)
  ret void
}

; Others may call it: by its address, by another name, from outside, from code without checks; or call something
; else than it is.
; CHECK-LABEL: @named(
; CHECK: call void @__dh_check_read4(ptr %p)
define internal void @named(ptr %p) nounwind sanitize_thread {
  %a = load i32, ptr %p
  ret void
}
; CHECK-LABEL: @aliased(
; CHECK: call void @__dh_check_read4(ptr %p)
define internal void @aliased(ptr %p) nounwind sanitize_thread {
  %a = load i32, ptr %p
  ret void
}
; CHECK-LABEL: @exported(
; CHECK: call void @__dh_check_read4(ptr %p)
define void @exported(ptr %p) nounwind sanitize_thread {
  %a = load i32, ptr %p
  ret void
}
; CHECK-LABEL: @from_unchecked(
; CHECK: call void @__dh_check_read4(ptr %p)
define internal void @from_unchecked(ptr %p) nounwind sanitize_thread {
  %a = load i32, ptr %p
  ret void
}
; CHECK-LABEL: @old_style(
; CHECK: call void @__dh_check_read4(ptr %p)
define internal void @old_style(ptr %p) nounwind sanitize_thread {
  %a = load i32, ptr %p
  ret void
}
; CHECK-LABEL: @passed(
; CHECK: call void @__dh_check_read4(ptr %p)
define internal void @passed(ptr %p, ptr %f) nounwind sanitize_thread {
  %a = load i32, ptr %p
  ret void
}
define void @calls_these(ptr %p) nounwind sanitize_thread {
  store i32 1, ptr %p
  call void @named(ptr %p)
  call void @aliased(ptr %p)
  call void @exported(ptr %p)
  call void @from_unchecked(ptr %p)
  call void (...) @old_style(ptr %p)
  call void @passed(ptr %p, ptr @passed)
  ret void
}
define void @unchecked(ptr %p) nounwind {
  call void @from_unchecked(ptr %p)
  ret void
}

; What is passed by value is a copy.
; CHECK-LABEL: @copied(
; CHECK: call void @__dh_check_read8(ptr %p)
define internal void @copied(ptr byval(%pair) %p) nounwind sanitize_thread {
  store ptr %p, ptr @pointer
  %a = load i64, ptr %p
  ret void
}
define void @calls_copied(ptr %p) nounwind sanitize_thread {
  store i64 1, ptr %p
  call void @copied(ptr byval(%pair) %p)
  ret void
}

; It calls itself: nothing says when it ends.
; CHECK-LABEL: @itself(
; CHECK: call void @__dh_check_read4(ptr %p)
define internal i32 @itself(ptr %p) nounwind sanitize_thread {
  %a = load i32, ptr %p
  %b = tail call i32 @itself(ptr %p)
  ret i32 %b
}
define void @calls_itself(ptr %p) nounwind sanitize_thread {
  %a = load i32, ptr %p
  call i32 @itself(ptr %p)
  ret void
}

; A release before the access, in the caller or in the function.
; CHECK-LABEL: @released(
; CHECK: call void @__dh_check_read4(ptr %p)
define internal void @released(ptr %p) nounwind sanitize_thread {
  %a = load i32, ptr %p
  ret void
}
; CHECK-LABEL: @releases(
; CHECK: call i32 @pthread_mutex_unlock
; CHECK: call void @__dh_check_read4(ptr %p)
define internal void @releases(ptr %p, ptr %m) nounwind sanitize_thread {
  call i32 @pthread_mutex_unlock(ptr %m)
  %a = load i32, ptr %p
  ret void
}
; An acquire is none.
; CHECK-LABEL: @acquires(
; CHECK: call i32 @pthread_mutex_lock
; CHECK-NOT: __dh_check
; CHECK: ret
define internal void @acquires(ptr %p, ptr %m) nounwind sanitize_thread {
  call i32 @pthread_mutex_lock(ptr %m)
  %a = load i32, ptr %p
  ret void
}
define void @calls_releases(ptr %p, ptr %m) nounwind sanitize_thread {
  store i32 1, ptr %p
  call void @releases(ptr %p, ptr %m)
  store i32 1, ptr %p
  call i32 @pthread_mutex_unlock(ptr %m)
  call void @released(ptr %p)
  store i32 1, ptr %p
  call void @acquires(ptr %p, ptr %m)
  ret void
}

; ---- behind a call ----

; CHECK-LABEL: @fills(
; CHECK: call void @__dh_check_write4(ptr %p)
define void @fills(ptr %p) nounwind noinline sanitize_thread {
  store i32 1, ptr %p
  ret void
}
; The second is called with another offset. REPLACED is a library in which another may take its place.
;FLAG!llvm.module.flags = !{!0}
;FLAG!0 = !{i32 1, !"SemanticInterposition", i32 1}
; REPLACED-LABEL: @behind(
; REPLACED: call void @__dh_check_write4(ptr %p)
; REPLACED: call void @__dh_check_write4(ptr %p)
; REPLACED: call void @__dh_check_read4(ptr %q)
; CHECK-LABEL: @behind(
; CHECK-NOT: __dh_check
; CHECK: call void @fills(ptr %q)
; CHECK: call void @__dh_check_write4(ptr %p)
; CHECK-NOT: __dh_check
; CHECK: ret
define void @behind(ptr %p) nounwind sanitize_thread {
  call void @fills(ptr %p)
  store i32 2, ptr %p
  %q = getelementptr i8, ptr %p, i64 4
  call void @other()
  call void @fills(ptr %q)
  store i32 2, ptr %p
  %a = load i32, ptr %q
  ret void
}

; It releases, and checks after that; or before that; or on one of two ways; or another's body may run.
; CHECK-LABEL: @fills_last(
define internal void @fills_last(ptr %p, ptr %m) nounwind sanitize_thread {
  call i32 @pthread_mutex_unlock(ptr %m)
  store i32 1, ptr %p
  ret void
}
define internal void @fills_first(ptr %p, ptr %m) nounwind sanitize_thread {
  store i32 1, ptr %p
  call i32 @pthread_mutex_unlock(ptr %m)
  ret void
}
define internal void @fills_perhaps(ptr %p, i1 %c) nounwind sanitize_thread {
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %p
  ret void
no:
  ret void
}
define weak void @fills_weakly(ptr %p) nounwind sanitize_thread {
  store i32 1, ptr %p
  ret void
}
define internal void @fills_unchecked(ptr %p) nounwind {
  store i32 1, ptr %p
  ret void
}
; CHECK-LABEL: @behind_last(
; CHECK: call void @fills_last
; CHECK-NOT: __dh_check
; CHECK: ret
define void @behind_last(ptr %p, ptr %m) nounwind sanitize_thread {
  call void @fills_last(ptr %p, ptr %m)
  %a = load i32, ptr %p
  ret void
}
; CHECK-LABEL: @behind_first(
; CHECK: call void @__dh_check_read4(ptr %p)
define void @behind_first(ptr %p, ptr %m) nounwind sanitize_thread {
  call void @fills_first(ptr %p, ptr %m)
  %a = load i32, ptr %p
  ret void
}
; CHECK-LABEL: @behind_perhaps(
; CHECK: call void @__dh_check_read4(ptr %p)
define void @behind_perhaps(ptr %p, i1 %c) nounwind sanitize_thread {
  call void @fills_perhaps(ptr %p, i1 %c)
  %a = load i32, ptr %p
  ret void
}
; CHECK-LABEL: @behind_weak(
; CHECK: call void @__dh_check_read4(ptr %p)
define void @behind_weak(ptr %p) nounwind sanitize_thread {
  call void @fills_weakly(ptr %p)
  %a = load i32, ptr %p
  ret void
}
; CHECK-LABEL: @behind_unchecked(
; CHECK: call void @__dh_check_read4(ptr %p)
define void @behind_unchecked(ptr %p) nounwind sanitize_thread {
  call void @fills_unchecked(ptr %p)
  %a = load i32, ptr %p
  ret void
}

; ---- just before a call ----

; It is certain to write there, and then does anything; so the read and the write before it need no check, unless
; something comes between, or they are of more bytes, or it reads only.
; CHECK-LABEL: @goes_on(
; CHECK: call void @__dh_check_write4(ptr %p)
; CHECK: call void @__dh_check_read4(ptr %q)
define void @goes_on(ptr %p, ptr %q) nounwind sanitize_thread {
  store i32 1, ptr %p
  %a = load i32, ptr %q
  call void @other()
  ret void
}
; CHECK-LABEL: @before(
; CHECK-NOT: __dh_check
; CHECK: call void @goes_on
; CHECK-NEXT: ret
define void @before(ptr %p, ptr %q) nounwind sanitize_thread {
  %a = load i32, ptr %p
  %b = load i32, ptr %q
  call void @goes_on(ptr %p, ptr %q)
  ret void
}
; CHECK-LABEL: @before_not(
; CHECK: call void @__dh_check_read8(ptr %p)
; CHECK: call void @__dh_check_write4(ptr %q)
; CHECK: call void @goes_on
; CHECK-NEXT: ret
define void @before_not(ptr %p, ptr %q) nounwind sanitize_thread {
  %a = load i64, ptr %p
  store i32 1, ptr %q
  call void @goes_on(ptr %p, ptr %q)
  ret void
}
; CHECK-LABEL: @before_and_between(
; CHECK: call void @__dh_check_read4(ptr %p)
; CHECK: call i32 @pthread_mutex_lock
; CHECK: call void @goes_on
define void @before_and_between(ptr %p, ptr %q, ptr %m) nounwind sanitize_thread {
  %a = load i32, ptr %p
  call i32 @pthread_mutex_lock(ptr %m)
  call void @goes_on(ptr %p, ptr %q)
  ret void
}

; It has something before: nobody knows whether it returns.
define internal void @goes_first(ptr %p) nounwind sanitize_thread {
  call void @other()
  store i32 1, ptr %p
  ret void
}
; CHECK-LABEL: @before_first(
; CHECK: call void @__dh_check_read4(ptr %p)
define void @before_first(ptr %p) nounwind sanitize_thread {
  %a = load i32, ptr %p
  call void @goes_first(ptr %p)
  ret void
}

; One of the two has to check: the caller, if all callers do, else the function.
; CHECK-LABEL: @one_of_two(
; CHECK-NOT: __dh_check
; CHECK: ret
define internal void @one_of_two(ptr %p) nounwind sanitize_thread {
  %a = load i32, ptr %p
  ret void
}
; CHECK-LABEL: @calls_one_of_two(
; CHECK: call void @__dh_check_read4(ptr %p)
define void @calls_one_of_two(ptr %p) nounwind sanitize_thread {
  %a = load i32, ptr %p
  call void @one_of_two(ptr %p)
  ret void
}
; CHECK-LABEL: @other_of_two(
; CHECK: call void @__dh_check_read4(ptr %p)
define internal void @other_of_two(ptr %p) nounwind sanitize_thread {
  %a = load i32, ptr %p
  ret void
}
; CHECK-LABEL: @calls_other_of_two(
; CHECK-NOT: __dh_check
; CHECK: ret
define void @calls_other_of_two(ptr %p, i1 %c) nounwind sanitize_thread {
  br i1 %c, label %yes, label %no
yes:
  %a = load i32, ptr %p
  call void @other_of_two(ptr %p)
  ret void
no:
  call void @other_of_two(ptr %p)
  ret void
}

; A function that calls itself again and again never checks what each round leaves to the next.
; CHECK-LABEL: @endless(
; CHECK: call void @__dh_check_read4(ptr %p)
; CHECK: call void @endless
define void @endless(ptr %p) nounwind sanitize_thread {
  %a = load i32, ptr %p
  call void @endless(ptr %p)
  ret void
}
