#!/bin/sh
# Every phase at which clang can be stopped, every kind of input, and that only linking links.
. "$(dirname "$0")/lib.sh"

check "-c" deadheat cc -c race.c -o race.o
check_instrumented race.o
check "-c, then link" deadheat cc race.o -o race
check_instrumented race
check_race ./race

check "-S" deadheat cc -S race.c -o race.s
check "link an assembler file" deadheat cc race.s -o race
check_race ./race

check "-E" deadheat cc -E race.c -o race.i
check "-x cpp-output" deadheat cc -x cpp-output race.i -o race
check_race ./race

deadheat cc -E -dM -x c /dev/null >macros
grep -qx '#define __DEADHEAT__ 1' macros || fail "__DEADHEAT__ is not defined as 1"
printf '#if !__has_feature(thread_sanitizer)\n#error\n#endif\n' >feature.c
check "__has_feature(thread_sanitizer)" deadheat cc -fsyntax-only feature.c
printf '#include <deadheat.h>\n' >header.c
check "#include <deadheat.h>" deadheat cc -fsyntax-only -Wall -Wextra -Werror header.c

check "-M" deadheat cc -M race.c
grep -q '^race.o: race.c' out || fail "-M prints no rule" "$(cat out)"
check "-MM" deadheat cc -MM race.c
[ "$(cat out)" = "race.o: race.c" ] || fail "-MM shows more than the program's files" "$(cat out)"
check "-MD -MF" deadheat cc -MD -MF race.d -c race.c -o race.o
grep -q '^race.o: race.c' race.d || fail "-MF was not written"

check "-fsyntax-only" deadheat cc -fsyntax-only race.c
check "-emit-llvm" deadheat cc -S -emit-llvm race.c -o race.ll
grep -q '__dh_' race.ll || fail "LLVM assembly has no checks in it"
check "compile the LLVM assembly with plain clang" "$clang" -c race.ll -o race.o
check "and link it" deadheat cc race.o -o race
check_race ./race

# Checked code that comes again as bitcode is not checked twice.
echo 'void set(int *p, int v) { *p = v; }' >set.c
check "to bitcode" deadheat cc -O1 -c -emit-llvm set.c -o set.bc
check "from bitcode" deadheat cc -O1 -c set.bc -o again.o
check "in one" deadheat cc -O1 -c set.c -o once.o
for object in again once; do
    [ "$(objdump -dr $object.o | grep -c '__dh_.*write')" = 1 ] || fail "$object.o does not check once"
done

check "several inputs" sh -c '
    echo "int two(void) { return 2; }" >two.c
    echo "int two(void); int main(void) { return two() - 2; }" >one.c
    deadheat cc one.c two.c -o several && ./several'
check "several inputs with -c" deadheat cc -c one.c two.c
check_instrumented race.o
check "a static library between them" sh -c 'ar rc libtwo.a two.o && deadheat cc one.o -L. -ltwo -o several'
check "-x c -" sh -c 'deadheat cc -x c - -o stdin <norace.c'
check_norace ./stdin
check "-x reaches no input of ours" deadheat cc -o norace -x c norace.c
check_norace ./norace
check "--" deadheat cc -o norace -- norace.c
check_norace ./norace
check "an assembler file" sh -c 'printf ".globl f\nf: ret\n" >f.s && deadheat cc -Werror -c f.s'
check "a preprocessed assembler file" sh -c 'cp f.s f2.S && deadheat cc -Werror -c f2.S'
check "-pipe" deadheat cc -pipe norace.c -o norace
check_norace ./norace

# clang itself warns about its own checksums with -g -save-temps, so only the result counts.
mkdir temps
deadheat cc -save-temps=obj race.c -o temps/race >out 2>&1 || fail "-save-temps" "$(cat out)"
[ -f temps/race.s ] || fail "-save-temps kept nothing" "$(ls temps)"
check_race ./temps/race

echo 'long shared;' >pre.h
check "a header is compiled to a precompiled header" deadheat cc pre.h -o pre.pch
check "so is one by -x" deadheat cc -x c-header pre.h -o pre.pch
check "and used" deadheat cc -include-pch pre.pch norace.c -o norace
check_norace ./norace

for level in 0 1 2 3 s z g; do
    check "-O$level" deadheat cc -O$level race.c -o race
    check_race ./race
done
for position in "-fPIE -pie" "-fno-pie -no-pie" "-fPIC" "-fno-plt"; do
    # shellcheck disable=SC2086
    check "$position" deadheat cc -O2 $position race.c -o race
    check_race ./race
done
finish
