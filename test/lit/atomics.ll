; Atomics are the runtime's. Orders are those of the C ABI; values travel as integers.
; RUN: %place=deadheat-place,verify %s | FileCheck %s
; RUN: %place=deadheat-place -deadheat-cxx20 %s | FileCheck %s --check-prefix=CXX20
target triple = "x86_64-pc-linux-gnu"

define void @loads(ptr %p) sanitize_thread {
; CHECK-LABEL: @loads
; CHECK-NEXT: call zeroext i8 @__dh_atomic8_load(ptr %p, i32 0)
; CHECK-NEXT: call zeroext i16 @__dh_atomic16_load(ptr %p, i32 0)
; CHECK-NEXT: call i32 @__dh_atomic32_load(ptr %p, i32 2)
; CHECK-NEXT: [[P:%.*]] = notail call i64 @__dh_atomic64_load(ptr %p, i32 5)
; CHECK-NEXT: [[Q:%.*]] = inttoptr i64 [[P]] to ptr
; CHECK-NEXT: call i128 @__dh_atomic128_load(ptr [[Q]], i32 5)
; CHECK-NEXT: [[D:%.*]] = notail call i64 @__dh_atomic64_load(ptr %p, i32 0)
; CHECK-NEXT: [[E:%.*]] = bitcast i64 [[D]] to double
; CHECK-NEXT: call void @__dh_check_write8(ptr [[Q]])
; CHECK-NEXT: store double [[E]], ptr [[Q]]
; CHECK-NEXT: ret void
; CXX20-LABEL: @loads
; CXX20: @__dh_atomic8_load(ptr %p, i32 16)
; CXX20: @__dh_atomic32_load(ptr %p, i32 18)
  %a = load atomic i8, ptr %p unordered, align 1
  %b = load atomic i16, ptr %p monotonic, align 2
  %c = load atomic i32, ptr %p acquire, align 4
  %d = load atomic ptr, ptr %p seq_cst, align 8
  %e = load atomic i128, ptr %d seq_cst, align 16
  %f = load atomic volatile double, ptr %p monotonic, align 8
  store double %f, ptr %d
  ret void
}

define void @stores(ptr %p, ptr %q, float %f, i8 %b) sanitize_thread {
; CHECK-LABEL: @stores
; CHECK-NEXT: call void @__dh_atomic8_store(ptr %p, i8 zeroext %b, i32 0)
; CHECK-NEXT: [[Q:%.*]] = ptrtoint ptr %q to i64
; CHECK-NEXT: call void @__dh_atomic64_store(ptr %p, i64 [[Q]], i32 3)
; CHECK-NEXT: [[F:%.*]] = bitcast float %f to i32
; CHECK-NEXT: call void @__dh_atomic32_store(ptr %p, i32 [[F]], i32 5)
; CHECK-NEXT: ret void
  store atomic i8 %b, ptr %p monotonic, align 1
  store atomic ptr %q, ptr %p release, align 8
  store atomic float %f, ptr %p seq_cst, align 4
  ret void
}

define i32 @rmw(ptr %p, i32 %v) sanitize_thread {
; CHECK-LABEL: @rmw
; CHECK-NEXT: call i32 @__dh_atomic32_rmw(ptr %p, i32 %v, i32 0, i32 0)
; CHECK-NEXT: call i32 @__dh_atomic32_rmw(ptr %p, i32 %v, i32 1, i32 2)
; CHECK-NEXT: call i32 @__dh_atomic32_rmw(ptr %p, i32 %v, i32 2, i32 3)
; CHECK-NEXT: call i32 @__dh_atomic32_rmw(ptr %p, i32 %v, i32 3, i32 4)
; CHECK-NEXT: call i32 @__dh_atomic32_rmw(ptr %p, i32 %v, i32 4, i32 5)
; CHECK-NEXT: call i32 @__dh_atomic32_rmw(ptr %p, i32 %v, i32 5, i32 5)
; CHECK-NEXT: call i32 @__dh_atomic32_rmw(ptr %p, i32 %v, i32 6, i32 5)
; CHECK-NEXT: call i32 @__dh_atomic32_rmw(ptr %p, i32 %v, i32 7, i32 5)
; CHECK-NEXT: call i32 @__dh_atomic32_rmw(ptr %p, i32 %v, i32 8, i32 5)
; CHECK-NEXT: call i32 @__dh_atomic32_rmw(ptr %p, i32 %v, i32 9, i32 5)
; CHECK-NEXT: call i32 @__dh_atomic32_rmw(ptr %p, i32 %v, i32 10, i32 5)
; CHECK-NEXT: call i32 @__dh_atomic32_rmw(ptr %p, i32 %v, i32 11, i32 5)
; CHECK-NEXT: [[L:%.*]] = notail call i32 @__dh_atomic32_rmw(ptr %p, i32 %v, i32 12, i32 5)
; CHECK-NEXT: ret i32 [[L]]
  %a = atomicrmw xchg ptr %p, i32 %v monotonic
  %b = atomicrmw add ptr %p, i32 %v acquire
  %c = atomicrmw sub ptr %p, i32 %v release
  %d = atomicrmw and ptr %p, i32 %v acq_rel
  %e = atomicrmw nand ptr %p, i32 %v seq_cst
  %f = atomicrmw or ptr %p, i32 %v seq_cst
  %g = atomicrmw xor ptr %p, i32 %v seq_cst
  %h = atomicrmw max ptr %p, i32 %v seq_cst
  %i = atomicrmw min ptr %p, i32 %v seq_cst
  %j = atomicrmw umax ptr %p, i32 %v seq_cst
  %k = atomicrmw umin ptr %p, i32 %v seq_cst
  %m = atomicrmw uinc_wrap ptr %p, i32 %v seq_cst
  %l = atomicrmw udec_wrap ptr %p, i32 %v seq_cst
  ret i32 %l
}

define ptr @rmw_types(ptr %p, double %d, ptr %q, i8 %b, i128 %w) sanitize_thread {
; CHECK-LABEL: @rmw_types
; CHECK-NEXT: [[D:%.*]] = bitcast double %d to i64
; CHECK-NEXT: call i64 @__dh_atomic64_rmw(ptr %p, i64 [[D]], i32 13, i32 5)
; CHECK: call i64 @__dh_atomic64_rmw(ptr %p, i64 {{.*}}, i32 14, i32 5)
; CHECK: call i64 @__dh_atomic64_rmw(ptr %p, i64 {{.*}}, i32 15, i32 5)
; CHECK: call i64 @__dh_atomic64_rmw(ptr %p, i64 {{.*}}, i32 16, i32 5)
; CHECK: call zeroext i8 @__dh_atomic8_rmw(ptr %p, i8 zeroext %b, i32 1, i32 5)
; CHECK: call i128 @__dh_atomic128_rmw(ptr %p, i128 %w, i32 1, i32 5)
; CHECK: [[Q:%.*]] = ptrtoint ptr %q to i64
; CHECK-NEXT: [[R:%.*]] = notail call i64 @__dh_atomic64_rmw(ptr %p, i64 [[Q]], i32 0, i32 5)
; CHECK-NEXT: [[S:%.*]] = inttoptr i64 [[R]] to ptr
; CHECK-NEXT: ret ptr [[S]]
  %a = atomicrmw fadd ptr %p, double %d seq_cst
  %e = atomicrmw fsub ptr %p, double %d seq_cst
  %f = atomicrmw fmax ptr %p, double %d seq_cst
  %g = atomicrmw fmin ptr %p, double %d seq_cst
  %h = atomicrmw add ptr %p, i8 %b seq_cst
  %i = atomicrmw add ptr %p, i128 %w seq_cst
  %j = atomicrmw xchg ptr %p, ptr %q seq_cst
  ret ptr %j
}

define i1 @compare_exchange(ptr %p, ptr %old, ptr %new) sanitize_thread {
; CHECK-LABEL: @compare_exchange
; CHECK-NEXT: [[O:%.*]] = ptrtoint ptr %old to i64
; CHECK-NEXT: [[N:%.*]] = ptrtoint ptr %new to i64
; CHECK-NEXT: [[S:%.*]] = notail call i64 @__dh_atomic64_compare_exchange(ptr %p, i64 [[O]], i64 [[N]], i32 4, i32 2)
; CHECK-NEXT: icmp eq i64 [[S]], [[O]]
; CXX20-LABEL: @compare_exchange
; CXX20: i32 20, i32 18)
  %r = cmpxchg weak ptr %p, ptr %old, ptr %new acq_rel acquire
  %s = extractvalue { ptr, i1 } %r, 1
  %v = extractvalue { ptr, i1 } %r, 0
  store ptr %v, ptr %old
  ret i1 %s
}

; To other threads an atomic for signal handlers is an ordinary access.
define void @singlethread(ptr %p, ptr %q) sanitize_thread {
; CHECK-LABEL: @singlethread
; CHECK-NEXT: call void @__dh_check_read4(ptr %p)
; CHECK-NEXT: load atomic i32, ptr %p syncscope("singlethread")
; CHECK-NEXT: call void @__dh_check_write4(ptr %q)
; CHECK-NEXT: store atomic i32 0, ptr %q syncscope("singlethread")
; CHECK-NEXT: call void @__dh_check_write4(ptr %p)
; CHECK-NEXT: atomicrmw add ptr %p, i32 1 syncscope("singlethread")
; CHECK-NEXT: call void @__dh_check_write4(ptr %p)
; CHECK-NEXT: cmpxchg ptr %p, i32 0, i32 1 syncscope("singlethread")
  %a = load atomic i32, ptr %p syncscope("singlethread") acquire, align 4
  store atomic i32 0, ptr %q syncscope("singlethread") release, align 4
  %b = atomicrmw add ptr %p, i32 1 syncscope("singlethread") seq_cst
  %c = cmpxchg ptr %p, i32 0, i32 1 syncscope("singlethread") seq_cst seq_cst
  ret void
}

; The fence stays, because the program's own order depends on it.
define void @fences() sanitize_thread {
; CHECK-LABEL: @fences
; CHECK-NEXT: call void @__dh_atomic_thread_fence(i32 2)
; CHECK-NEXT: fence acquire
; CHECK-NEXT: call void @__dh_atomic_thread_fence(i32 3)
; CHECK-NEXT: fence release
; CHECK-NEXT: call void @__dh_atomic_thread_fence(i32 4)
; CHECK-NEXT: fence acq_rel
; CHECK-NEXT: call void @__dh_atomic_thread_fence(i32 5)
; CHECK-NEXT: fence seq_cst
; CHECK-NEXT: fence syncscope("singlethread") seq_cst
; CHECK-NEXT: ret void
  fence acquire
  fence release
  fence acq_rel
  fence seq_cst
  fence syncscope("singlethread") seq_cst
  ret void
}

; Not naturally aligned: a known gap, left as it is.
define i64 @misfit(ptr %p) sanitize_thread {
; CHECK-LABEL: @misfit
; CHECK-NEXT: load atomic i64, ptr %p seq_cst, align 4
  %a = load atomic i64, ptr %p seq_cst, align 4
  ret i64 %a
}
