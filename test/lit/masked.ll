; Masked and scattered accesses: exactly the lanes in the mask.
; RUN: %place=deadheat-place,verify %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

define void @masked(ptr %p, <8 x i1> %m, <8 x i32> %v) sanitize_thread {
; CHECK-LABEL: @masked
; CHECK-NEXT: [[B:%.*]] = bitcast <8 x i1> %m to i8
; CHECK-NEXT: [[W:%.*]] = zext i8 [[B]] to i64
; CHECK-NEXT: call void @__dh_check_read_masked(ptr %p, i64 [[W]], i32 8, i32 4)
; CHECK-NEXT: call <8 x i32> @llvm.masked.load
; CHECK: call void @__dh_check_write_masked(ptr %p, i64 {{.*}}, i32 8, i32 4)
; CHECK-NEXT: call void @llvm.masked.store
  %a = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %p, i32 4, <8 x i1> %m, <8 x i32> %v)
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %v, ptr %p, i32 4, <8 x i1> %m)
  ret void
}

; More lanes than a call takes.
define void @many(ptr %p, <128 x i1> %m, <128 x i8> %v) sanitize_thread {
; CHECK-LABEL: @many
; CHECK-NEXT: [[B:%.*]] = bitcast <128 x i1> %m to i128
; CHECK-NEXT: [[L:%.*]] = trunc i128 [[B]] to i64
; CHECK-NEXT: call void @__dh_check_write_masked(ptr %p, i64 [[L]], i32 64, i32 1)
; CHECK-DAG: [[Q:%.*]] = getelementptr i8, ptr %p, i64 64
; CHECK-DAG: [[S:%.*]] = lshr i128 [[B]], 64
; CHECK: [[H:%.*]] = trunc i128 [[S]] to i64
; CHECK-NEXT: call void @__dh_check_write_masked(ptr [[Q]], i64 [[H]], i32 64, i32 1)
  call void @llvm.masked.store.v128i8.p0(<128 x i8> %v, ptr %p, i32 1, <128 x i1> %m)
  ret void
}

define void @packed(ptr %p, <8 x i1> %m, <8 x i16> %v) sanitize_thread {
; CHECK-LABEL: @packed
; CHECK: [[N:%.*]] = call i8 @llvm.ctpop.i8
; CHECK-NEXT: [[W:%.*]] = zext i8 [[N]] to i64
; CHECK-NEXT: [[S:%.*]] = mul i64 [[W]], 2
; CHECK-NEXT: call void @__dh_check_read_range(ptr %p, i64 [[S]])
; CHECK-NEXT: call <8 x i16> @llvm.masked.expandload
; CHECK: call void @__dh_check_write_range
; CHECK-NEXT: call void @llvm.masked.compressstore
  %a = call <8 x i16> @llvm.masked.expandload.v8i16(ptr %p, <8 x i1> %m, <8 x i16> %v)
  call void @llvm.masked.compressstore.v8i16(<8 x i16> %v, ptr %p, <8 x i1> %m)
  ret void
}

define void @scattered(<4 x ptr> %p, <4 x i1> %m, <4 x double> %v) sanitize_thread {
; CHECK-LABEL: @scattered
; CHECK-COUNT-2: alloca [4 x ptr]
; CHECK: store <4 x ptr> %p, ptr [[A:%.*]], align 8
; CHECK: call void @__dh_check_read_gather(ptr [[A]], i64 {{.*}}, i32 4, i32 8)
; CHECK-NEXT: call <4 x double> @llvm.masked.gather
; CHECK: store <4 x ptr> %p, ptr [[C:%.*]], align 8
; CHECK: call void @__dh_check_write_scatter(ptr [[C]], i64 {{.*}}, i32 4, i32 8)
; CHECK-NEXT: call void @llvm.masked.scatter
  %a = call <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr> %p, i32 8, <4 x i1> %m, <4 x double> %v)
  call void @llvm.masked.scatter.v4f64.v4p0(<4 x double> %v, <4 x ptr> %p, i32 8, <4 x i1> %m)
  ret void
}

; The first %n lanes of those in the mask.
define void @predicated(ptr %p, <8 x i1> %m, <8 x i32> %v, i32 %n) sanitize_thread {
; CHECK-LABEL: @predicated
; CHECK-NEXT: [[B:%.*]] = bitcast <8 x i1> %m to i8
; CHECK-NEXT: [[N:%.*]] = trunc i32 %n to i9
; CHECK-NEXT: [[S:%.*]] = shl i9 1, [[N]]
; CHECK-NEXT: [[T:%.*]] = sub i9 [[S]], 1
; CHECK-NEXT: [[U:%.*]] = trunc i9 [[T]] to i8
; CHECK-NEXT: [[V:%.*]] = and i8 [[B]], [[U]]
; CHECK-NEXT: [[W:%.*]] = zext i8 [[V]] to i64
; CHECK-NEXT: call void @__dh_check_write_masked(ptr %p, i64 [[W]], i32 8, i32 4)
  call void @llvm.vp.store.v8i32.p0(<8 x i32> %v, ptr %p, <8 x i1> %m, i32 %n)
  ret void
}

; x86's own: a lane counts if its mask is negative.
define <8 x float> @avx(ptr %p, <8 x i32> %m) sanitize_thread "target-features"="+avx" {
; CHECK-LABEL: @avx
; CHECK-NEXT: [[S:%.*]] = icmp slt <8 x i32> %m, zeroinitializer
; CHECK-NEXT: [[B:%.*]] = bitcast <8 x i1> [[S]] to i8
; CHECK: call void @__dh_check_read_masked(ptr %p, i64 {{.*}}, i32 8, i32 4)
  %v = call <8 x float> @llvm.x86.avx.maskload.ps.256(ptr %p, <8 x i32> %m)
  ret <8 x float> %v
}
