#!/bin/sh
# Link-time optimisation: checks are placed once, when each file is compiled, and lld links.
. "$(dirname "$0")/lib.sh"

echo 'void set(int *p, int v) { *p = v; }' >set.c
echo 'void set(int *, int); int value;
__attribute__((noinline)) void set_value(int v) { set(&value, v); }
int main(int c, char **v) { (void)v; set_value(c); return value - c; }' >use.c

# How many checks of a write there are in set_value of program $1, into which set was inlined.
objdump=$("$clang" -print-prog-name=llvm-objdump)
checks() { "$objdump" -d --disassemble-symbols=set_value "$1" | grep -c 'call.*__dh_.*write'; }
for lto in -flto=thin -flto=full -flto; do
    check "$lto" deadheat cc -O2 $lto set.c use.c -o lto
    check_norace ./lto
    [ "$(checks lto)" = 1 ] || fail "$lto: $(checks lto) checks where there is one write"
    check "$lto in two steps" sh -c "deadheat cc -O2 $lto -c set.c use.c && deadheat cc $lto set.o use.o -o lto"
    check_norace ./lto
    check "$lto, a race" deadheat cc -O2 $lto race.c -o race
    check_race ./race
    check "$lto at -O0" deadheat cc $lto race.c -o race
    check_race ./race
    check "$lto, correct" deadheat cc -O2 $lto norace.c -o norace
    check_norace ./norace
done
link_line cc -flto race.c | grep -q 'ld\.lld$' || fail "-flto does not choose lld"
link_line cc -flto -fno-lto race.c | grep -q 'ld\.lld$' && fail "-fno-lto chooses lld"
link_line cc -flto -fuse-ld=bfd race.c | grep -q 'ld\.bfd$' || fail "the user's linker does not win"
finish
