#!/bin/sh
# Our options are never the reason for a warning, and the user's win over ours.
. "$(dirname "$0")/lib.sh"

strict="-Wall -Wextra -Werror -Weverything -Wno-unsafe-buffer-usage -Wno-missing-variable-declarations
        -Wno-pre-c11-compat -Wno-declaration-after-statement -Wno-zero-as-null-pointer-constant"
for phase in -c -S -E -M -fsyntax-only ""; do
    # shellcheck disable=SC2086
    check "strict warnings with '$phase'" deadheat cc $strict $phase norace.c -o strict.out
done
check "strict link" sh -c 'deadheat cc -c norace.c && deadheat cc -Werror norace.o -o norace'
check "an option of the user's that is unused still warns" sh -c \
    'deadheat cc -c norace.c -lnothing 2>&1 | grep -q unused'

# compiler_line ARGS...: what clang's compiler proper would be given.
compiler_line() { deadheat cc -c norace.c "$@" '-###' 2>&1 | grep -- '"-cc1"'; }
compiler_line | grep -q -- '-debug-info-kind=constructor' || fail "no debug info by default"
compiler_line -g0 | grep -q -- '-debug-info-kind' && fail "-g0 does not win"
compiler_line -g1 | grep -q -- '-debug-info-kind=line-tables-only' || fail "-g1 does not win"
compiler_line | grep -q -- '-mframe-pointer=all' || fail "frame pointers are not kept"
compiler_line -O2 | grep -q -- '-mframe-pointer=all' || fail "frame pointers are not kept at -O2"
compiler_line -fomit-frame-pointer | grep -q -- '-mframe-pointer=none' \
    || fail "-fomit-frame-pointer does not win"
compiler_line -O2 | grep -q -- '-fno-finite-loops' || fail "loops may be taken to be finite"
check "-gsplit-dwarf" sh -c 'deadheat cc -gsplit-dwarf -c norace.c -o split.o && [ -f split.dwo ]'
check "-fsanitize=undefined" deadheat cc -fsanitize=undefined race.c -o race
check_race ./race
check "a sanitizer that is taken back" deadheat cc -fsanitize=address -fno-sanitize=all -c race.c
check "--coverage" deadheat cc --coverage norace.c -o norace
check_norace ./norace
finish
