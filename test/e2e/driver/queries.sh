#!/bin/sh
# Questions to clang are answered by clang, questions to us by us, and neither needs any part of deadheat.
. "$(dirname "$0")/lib.sh"

mkdir -p alone/bin
cp "$DEADHEAT" alone/bin/
for question in --version -dumpmachine -dumpversion -print-resource-dir -print-search-dirs \
    -print-prog-name=ld -print-file-name=libc.so --print-diagnostic-categories -help; do
    for mode in cc c++; do
        alone/bin/deadheat $mode $question >ours 2>&1 || fail "$mode $question" "$(cat ours)"
        "$clang" $question >theirs 2>&1
        cmp -s ours theirs || fail "$mode $question is answered in another way than clang's" "$(cat ours)"
    done
done
check "--help" deadheat --help
grep -q 'deadheat c++' out || fail "--help does not list the verbs"
check "--version" deadheat --version
grep -Eq '^deadheat [0-9]+\.[0-9]+\.[0-9]+$' out || fail "--version" "$(cat out)"
for compiler in "deadheat cc" "deadheat c++" deadheat-cc deadheat-c++; do
    # shellcheck disable=SC2086
    check "$compiler --help" $compiler --help
    grep -q -- '--detector=NAME' out || fail "$compiler --help is not ours" "$(cat out)"
done

check "-v without inputs" sh -c 'deadheat cc -v 2>&1'
check "-### shows and does nothing" sh -c 'deadheat cc "-###" race.c -o race 2>&1'
grep -q libdeadheat.a out || fail "-### does not show the runtime" "$(cat out)"
[ ! -e race ] || fail "-### linked"
deadheat cc -Wl,--version >out 2>&1 || fail "-Wl,--version" "$(cat out)"
deadheat cc >out 2>&1
grep -q 'no input files' out || fail "no arguments" "$(cat out)"
check "-cc1" sh -c 'deadheat cc -cc1 -version | grep -q LLVM'
finish
