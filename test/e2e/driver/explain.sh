#!/bin/sh
# `deadheat explain` shows the source with its checks, and a reason for each access that has none.
. "$(dirname "$0")/lib.sh"

cat >loop.c <<'END'
#include <stddef.h>
int total;
static const int table[4] = {1, 2, 3, 4};
extern void unlock(void);
void scale(double *a, size_t n) {
    for (size_t i = 0; i < n; i++)
        a[i] *= 2;
}
int count(int i) {
    total++;
    unlock();
    total += table[i & 3];
    return total;
}
int find(int const *a, int x) {
    int i = 0;
    while (a[i] != x)
        i++;
    return i;
}
END

# says LINE PATTERN: below that line of the source, before the next, a remark matches.
says() {
    sed -n "/^ *$1 | /,/^ *[0-9][0-9]* | /p" out | sed 1d | grep -Eq -- "$2" || fail "line $1 does not say: $2" "$(cat out)"
}

check "a file" deadheat explain loop.c
says 6 'check before the loop: write of 8 bytes, every 8 bytes in all rounds: for line 7'
says 7 'write of 8 bytes: checked before the loop, at line 6'
says 7 'read of 8 bytes: redundant'
says 10 'check: write of 4 bytes'
says 12 'read of 4 bytes: no check: constant'
says 17 'read of 4 bytes: checked behind the loop'
grep -q '^scale (loop.c:5)$' out || fail "no heading" "$(cat out)"
grep -q '^loop.c, bigfoot: accesses ' out || fail "no counts" "$(cat out)"
! grep -q "$(printf '\033')" out || fail "colours in a file" "$(cat out)"

check "one function" deadheat explain loop.c:count
! grep -q scale out || fail "another function is shown" "$(cat out)"
check "colours on demand" deadheat explain --color=always loop.c
grep -q "$(printf '\033')" out || fail "no colours" "$(cat out)"
if command -v script >/dev/null; then
    # Its standard output is a terminal, here one of script's making.
    script -qec "deadheat explain loop.c" typescript </dev/null >/dev/null 2>&1 || fail "on a terminal it fails" "$(cat typescript)"
    grep -q "$(printf '\033')\[" typescript || fail "no colours on a terminal" "$(cat typescript)"
    script -qec "deadheat explain loop.c | cat" typescript </dev/null >/dev/null 2>&1
    grep -q 'check before the loop' typescript || fail "into a pipe it says nothing" "$(cat typescript)"
    ! grep -q "$(printf '\033')" typescript || fail "colours into a pipe" "$(cat typescript)"
    script -qec "deadheat explain --color=never loop.c" typescript </dev/null >/dev/null 2>&1
    ! grep -q "$(printf '\033')" typescript || fail "colours though there are to be none" "$(cat typescript)"
fi
check "another detector, other flags" deadheat explain --detector=fasttrack loop.c -- -O1 -DX
says 7 'check: read of 8 bytes'
check "JSON" deadheat explain --format=json loop.c:scale
python3 - <<'END' || fail "the JSON" "$(cat out)"
import json
shown = json.load(open("out"))
assert shown["schema"] == "deadheat-explain/1" and shown["detector"] == "bigfoot", shown
[function] = shown["functions"]
assert (function["name"], function["file"], function["line"]) == ("scale", "loop.c", 5)
[check] = function["checks"]
assert (check["form"], check["line"], check["access"], check["stride"]) == ("before-loop", 6, "write", 8)
assert sorted(a["fate"] for a in function["accesses"]) == ["checked", "covered"]
assert all(a["check"] == 0 and a["line"] == 7 for a in function["accesses"])
END

# Checks in other functions.
cat >calls.c <<'END'
__attribute__((noinline)) static int value(int *p) { return *p; }
__attribute__((noinline)) static void set(int *p) { *p = 1; }
int read_again(int *p) {
    *p = 2;
    return value(p);
}
int read_back(int *p) {
    set(p);
    return *p;
}
END
check "calls" deadheat explain calls.c
says 1 'read of 4 bytes: callers: every call of the function comes behind a check of its bytes, at line 5'
says 9 'read of 4 bytes: returned: what was called has checked its bytes, by the call at line 8'
check "calls in JSON" deadheat explain --format=json calls.c
python3 - <<'END' || fail "the JSON of calls" "$(cat out)"
import json
functions = {f["name"]: f for f in json.load(open("out"))["functions"]}
assert [call["line"] for call in functions["value"]["calls"]] == [5]
[access] = functions["value"]["accesses"]
assert (access["fate"], access["reason"], access["check"], access["call"]) == ("covered", "callers", None, None)
[access] = functions["read_back"]["accesses"]
assert (access["reason"], access["call"]["line"]) == ("returned", 8)
END

check_fails "no file" 2 'which file' deadheat explain
check_fails "a file that is not there" 2 'none.c: No such file' deadheat explain none.c
check_fails "a function that is not there" 2 "no code for a function 'scalf'" deadheat explain loop.c:scalf
check_fails "two files" 2 'one file at a time' deadheat explain loop.c race.c
check_fails "an option of clang's" 2 'behind --' deadheat explain -Iinclude loop.c
check_fails "a misspelt option" 2 "did you mean '--format='" deadheat explain --fromat=json loop.c
check_fails "a format" 2 'unknown format' deadheat explain --format=xml loop.c
check_fails "a detector" 2 'unknown detector' deadheat explain --detector=bigfeet loop.c
echo 'int x = ;' >broken.c
deadheat explain broken.c >out 2>err && fail "a broken file is explained"
grep -q 'broken.c does not compile' err || fail "a broken file" "$(cat err)"
[ -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'deadheat-explain-*' -newer loop.c)" ] || fail "files are left behind"
finish
