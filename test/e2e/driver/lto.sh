#!/bin/sh
# Link-time optimisation: checks are placed once, by lld, which sees the whole program; with -flto=thin when each file
# is compiled.
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

# What callers in other files have checked is not checked again, if all of them are there to be seen.
cat >get.c <<'END'
#include <stddef.h>
int total;
__attribute__((noinline)) int get(int *p) { return *p; }
__attribute__((noinline)) int sum(int const *a, size_t n) {
    int s = 0;
    for (size_t i = 0; i < n; i++) s += a[i];
    return s + total;
}
END
cat >call.c <<'END'
#include <stddef.h>
extern int total;
int get(int *), sum(int const *, size_t);
__attribute__((noinline)) int put_and_get(int *p) { *p = 3; return get(p); }
int main(int c, char **v) {
    (void)v;
    int a[64] = {c};
    return put_and_get(&total) + sum(a, 64) - 7;
}
END
# How many calls are in function $2 of program $1: of the runtime, that is.
calls() { "$objdump" -d --disassemble-symbols="$2" "$1" | grep -c '[^a-z]call'; }
check "a program" deadheat cc -O2 -flto get.c call.c -o whole
check_norace ./whole
[ "$(calls whole get)" = 0 ] || fail "what the only caller has checked is checked again"
[ "$(calls whole put_and_get)" = 1 ] || fail "the caller has not checked"
"$objdump" -d --disassemble-symbols=sum whole | grep -q paddd || fail "loops are not vectorised"
[ "$("$objdump" -d --disassemble-symbols=sum whole | grep -c 'call.*__dh_.*read_run')" = 1 ] || fail "no check of the whole loop"

# Callers that are not.
check "a caller that is linked later" sh -c "deadheat cc -O2 -c call.c && deadheat cc -O2 -flto get.c call.o -o later"
check_norace ./later
[ "$(calls later get)" = 1 ] || fail "nobody knows what the caller has checked"
check "a library" deadheat cc -O2 -flto -fPIC -shared get.c call.c -o libwhole.so
[ "$(calls libwhole.so get)" = 1 ] || fail "others may call what a library exports"
check "-flto=thin" deadheat cc -O2 -flto=thin -fno-inline get.c call.c -o thin
[ "$(calls thin get)" = 1 ] || fail "-flto=thin sees single files"

# Each file has its own detector, and is audited by itself.
check "two detectors" sh -c "deadheat cc -O2 -flto --detector=fasttrack -c get.c &&
    deadheat cc -O2 -flto -c call.c && deadheat cc -flto get.o call.o -o two"
check_norace ./two
[ "$(calls two get)" = 1 ] || fail "fasttrack checks every access"
check "audit" deadheat cc -O2 -flto --audit get.c call.c -o audited
DEADHEAT_OPTIONS=record=trace ./audited || fail "the audited program"
deadheat replay --audit trace >out 2>&1
grep -q ' 0 not covered; .* 0 not legitimate;' out || fail "audit" "$(cat out)"

# A linker without the plugin: not a program without checks.
deadheat cc -O2 -flto -c get.c call.c
"$clang" -flto -fuse-ld=lld get.o call.o -o plain >out 2>&1 && fail "a program without checks is linked"
grep -q 'must_be_linked_by_deadheat_cc' out || fail "the linker does not say why" "$(cat out)"
check "another linker" deadheat cc -O2 -flto -fuse-ld=lld get.c call.c -o named
[ "$(calls named get)" = 0 ] || fail "lld by its name"

link_line cc -flto race.c | grep -q 'ld\.lld$' || fail "-flto does not choose lld"
link_line cc -flto -fno-lto race.c | grep -q 'ld\.lld$' && fail "-fno-lto chooses lld"
link_line cc -flto -fuse-ld=bfd race.c | grep -q 'ld\.bfd$' || fail "the user's linker does not win"
finish
