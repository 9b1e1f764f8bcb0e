; Read-modify-writes that the runtime does not know become a loop around its compare-exchange.
; RUN: %place=deadheat-place,verify %s | FileCheck %s
; RUN: %place=deadheat-place,deadheat-inline,verify %s | FileCheck %s --check-prefix=INLINED
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define half @half(ptr %p, half %v) sanitize_thread {
; CHECK-LABEL: @half
; CHECK-NEXT: call half @deadheat.rmw.13.5.half(ptr %p, half %v)
; INLINED-LABEL: @half
; INLINED: call {{.*}}i16 @__dh_atomic16_load(ptr %p, i32 0)
; INLINED: phi i16
; INLINED: fadd half
; INLINED: call {{.*}}i16 @__dh_atomic16_compare_exchange({{.*}}, i32 5, i32 0)
  %a = atomicrmw fadd ptr %p, half %v seq_cst
  ret half %a
}

define <2 x bfloat> @vector(ptr %p, <2 x bfloat> %v) sanitize_thread {
; CHECK-LABEL: @vector
; CHECK-NEXT: call <2 x bfloat> @"deadheat.rmw.15.0.<2 x bfloat>"
; INLINED-LABEL: @vector
; INLINED: call <2 x bfloat> @llvm.maxnum.v2bf16
; INLINED: call i32 @__dh_atomic32_compare_exchange
  %a = atomicrmw fmax ptr %p, <2 x bfloat> %v monotonic
  ret <2 x bfloat> %a
}
; CHECK: define internal half @deadheat.rmw
; INLINED-NOT: @{{"?}}deadheat.rmw
