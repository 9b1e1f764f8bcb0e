; Each width has the check of its size; odd widths and what is wider than a check are ranges.
; RUN: %place=deadheat-place,verify -load=%plugin -deadheat-detector=fasttrack %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

define void @aligned(ptr %p) sanitize_thread {
; CHECK-LABEL: @aligned
; CHECK-NEXT: call void @__dh_check_read1(ptr %p) [[CALL:#[0-9]+]]
; CHECK-NEXT: load i8
; CHECK-NEXT: call void @__dh_check_read2(ptr %p)
; CHECK-NEXT: load i16
; CHECK-NEXT: call void @__dh_check_read4(ptr %p)
; CHECK-NEXT: load float
; CHECK-NEXT: call void @__dh_check_read8(ptr %p)
; CHECK-NEXT: load ptr
; CHECK-NEXT: call void @__dh_check_read16(ptr %p)
; CHECK-NEXT: load i128
; CHECK-NEXT: call void @__dh_check_write1(ptr %p)
; CHECK-NEXT: store i8
; CHECK-NEXT: call void @__dh_check_write2(ptr %p)
; CHECK-NEXT: store i16
; CHECK-NEXT: call void @__dh_check_write4(ptr %p)
; CHECK-NEXT: store i32
; CHECK-NEXT: call void @__dh_check_write8(ptr %p)
; CHECK-NEXT: store double
; CHECK-NEXT: call void @__dh_check_write16(ptr %p)
; CHECK-NEXT: store <4 x i32>
  %a = load i8, ptr %p
  %b = load i16, ptr %p
  %c = load float, ptr %p
  %d = load ptr, ptr %p
  %e = load i128, ptr %p, align 8
  store i8 0, ptr %p
  store i16 0, ptr %p
  store i32 0, ptr %p
  store double 0.0, ptr %p
  store <4 x i32> zeroinitializer, ptr %p
  ret void
}

define void @unaligned(ptr %p) sanitize_thread {
; CHECK-LABEL: @unaligned
; CHECK-NEXT: call void @__dh_check_read2_unaligned(ptr %p)
; CHECK-NEXT: load i16
; CHECK-NEXT: call void @__dh_check_read4_unaligned(ptr %p)
; CHECK-NEXT: load i32
; CHECK-NEXT: call void @__dh_check_read8_unaligned(ptr %p)
; CHECK-NEXT: load i64
; CHECK-NEXT: call void @__dh_check_write8_unaligned(ptr %p)
; CHECK-NEXT: [[Q:%.*]] = getelementptr i8, ptr %p, i64 8
; CHECK-NEXT: call void @__dh_check_write8_unaligned(ptr [[Q]])
; CHECK-NEXT: store i128
; CHECK-NEXT: call void @__dh_check_write_range(ptr %p, i64 32)
; CHECK-NEXT: store <8 x i32>
  %a = load i16, ptr %p, align 1
  %b = load i32, ptr %p, align 2
  %c = load i64, ptr %p, align 4
  store i128 0, ptr %p, align 4
  store <8 x i32> zeroinitializer, ptr %p, align 4
  ret void
}

define void @odd(ptr %p) sanitize_thread {
; CHECK-LABEL: @odd
; CHECK-NEXT: call void @__dh_check_read1(ptr %p)
; CHECK-NEXT: load i1
; CHECK-NEXT: call void @__dh_check_read_range(ptr %p, i64 3)
; CHECK-NEXT: load i24
; CHECK-NEXT: call void @__dh_check_read8(ptr %p)
; CHECK-NEXT: load i57
; CHECK-NEXT: call void @__dh_check_write_range(ptr %p, i64 10)
; CHECK-NEXT: store x86_fp80
; CHECK-NEXT: call void @__dh_check_read_range(ptr %p, i64 12)
; CHECK-NEXT: load i96
; CHECK-NEXT: call void @__dh_check_read_range(ptr %p, i64 6)
; CHECK-NEXT: load <3 x i16>
  %a = load i1, ptr %p
  %b = load i24, ptr %p
  %c = load i57, ptr %p, align 8
  store x86_fp80 0xK00000000000000000000, ptr %p
  %d = load i96, ptr %p
  %e = load <3 x i16>, ptr %p
  ret void
}

define void @wide(ptr %p) sanitize_thread {
; CHECK-LABEL: @wide
; CHECK-NEXT: call void @__dh_check_write16(ptr %p)
; CHECK-NEXT: [[Q:%.*]] = getelementptr i8, ptr %p, i64 16
; CHECK-NEXT: call void @__dh_check_write16(ptr [[Q]])
; CHECK-NEXT: store <8 x float>
; CHECK-COUNT-4: call void @__dh_check_read16
; CHECK-NEXT: load <16 x float>
; CHECK-NEXT: call void @__dh_check_read_range(ptr %p, i64 128)
; CHECK-NEXT: load <32 x float>
  store <8 x float> zeroinitializer, ptr %p, align 32
  %a = load <16 x float>, ptr %p, align 64
  %b = load <32 x float>, ptr %p, align 128
  ret void
}

define void @volatile(ptr %p) sanitize_thread {
; CHECK-LABEL: @volatile
; CHECK-NEXT: call void @__dh_check_read4(ptr %p)
; CHECK-NEXT: load volatile
; CHECK-NEXT: call void @__dh_check_write4(ptr %p)
; CHECK-NEXT: store volatile
  %a = load volatile i32, ptr %p
  store volatile i32 %a, ptr %p
  ret void
}

; CHECK: declare void @__dh_check_read1(ptr nocapture) [[CHECK:#[0-9]+]]
; CHECK-DAG: attributes [[CHECK]] = { nounwind willreturn memory(inaccessiblemem: readwrite) }
; CHECK-DAG: attributes [[CALL]] = { nomerge }
