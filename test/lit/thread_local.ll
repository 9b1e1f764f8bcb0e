; Thread-local variables that only their module can name, and whose addresses go nowhere, need no checks.
; RUN: %place=deadheat-place,verify -deadheat-stats %s -o %t.ll 2>%t.stats
; RUN: FileCheck %s <%t.ll
; RUN: FileCheck %s --check-prefix=STATS <%t.stats
target triple = "x86_64-pc-linux-gnu"

@own = internal thread_local global [4 x i64] zeroinitializer
@lent = internal thread_local global i64 0
@visible = thread_local global i64 0
@stored = internal thread_local global i64 0
@returned = internal thread_local global i64 0
@passed = internal thread_local global i64 0
@named = internal thread_local global i64 0
@not_local = internal global i64 0
@everywhere = global ptr null
@llvm.used = appending global [1 x ptr] [ptr @named], section "llvm.metadata"

declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull)
declare void @keeps(ptr)
declare void @looks(ptr nocapture)

define i64 @private(i64 %i, i1 %c) sanitize_thread {
; CHECK-LABEL: @private
; CHECK-NOT: @__dh_
; CHECK: ret
  %t = call ptr @llvm.threadlocal.address.p0(ptr @own)
  %u = call ptr @llvm.threadlocal.address.p0(ptr @lent)
  %p = getelementptr [4 x i64], ptr %t, i64 0, i64 %i
  %q = select i1 %c, ptr %p, ptr %u
  %v = load i64, ptr %q
  store i64 %v, ptr %p
  %o = atomicrmw add ptr %u, i64 1 monotonic
  ret i64 %v
}

; What a callee does with it is over when the call returns.
define void @lends() sanitize_thread {
; CHECK-LABEL: @lends
; CHECK-NOT: @__dh_
; CHECK: ret
  %t = call ptr @llvm.threadlocal.address.p0(ptr @lent)
  call void @looks(ptr %t)
  store i64 1, ptr %t
  ret void
}

; Each of these can be got at by others, if only by what another function does.
define void @known() sanitize_thread {
; CHECK-LABEL: @known
; CHECK-COUNT-6: call void @__dh_check_write8
; CHECK: ret
  %v = call ptr @llvm.threadlocal.address.p0(ptr @visible)
  store i64 1, ptr %v
  %s = call ptr @llvm.threadlocal.address.p0(ptr @stored)
  store i64 1, ptr %s
  %r = call ptr @llvm.threadlocal.address.p0(ptr @returned)
  store i64 1, ptr %r
  %p = call ptr @llvm.threadlocal.address.p0(ptr @passed)
  store i64 1, ptr %p
  %n = call ptr @llvm.threadlocal.address.p0(ptr @named)
  store i64 1, ptr %n
  store i64 1, ptr @not_local
  ret void
}

define void @store() {
  %t = call ptr @llvm.threadlocal.address.p0(ptr @stored)
  store ptr %t, ptr @everywhere
  ret void
}

define ptr @return() {
  %t = call ptr @llvm.threadlocal.address.p0(ptr @returned)
  ret ptr %t
}

define void @pass() {
  %t = call ptr @llvm.threadlocal.address.p0(ptr @passed)
  call void @keeps(ptr %t)
  ret void
}

; STATS: 6 kept
; STATS: 4 thread
; STATS: 10 accesses
