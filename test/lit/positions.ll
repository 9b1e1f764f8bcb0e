; An access without a position, in a function with debug information.
; RUN: %place=deadheat-place,deadheat-inline,verify %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %p) sanitize_thread !dbg !4 {
; CHECK-LABEL: @f
; CHECK: call preserve_mostcc void @__dh_write4_slow(ptr {{.*}}%p) {{.*}} !dbg [[AT:![0-9]+]]
; CHECK: [[AT]] = !DILocation(line: 0, scope: [[F:![0-9]+]])
  store i32 1, ptr %p
  ret void
}
; No debug information at all.
define void @g(ptr %p) sanitize_thread {
  store i32 1, ptr %p
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "f.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "f", file: !1, line: 3, type: !3, unit: !0, spFlags: DISPFlagDefinition)
