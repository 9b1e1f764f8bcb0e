#!/bin/sh
# `make demo` ends well and leaves nothing behind: demo.sh SCRIPT.
. "$(dirname "$0")/lib.sh"
mkdir tmp
TMPDIR=$work/tmp "${1:?scripts/demo.sh}" "$DEADHEAT" >log 2>&1 || fail "the demo failed" "$(cat log)"
grep -q 'counter' log || fail "the report does not name the variable" "$(cat log)"
[ -z "$(ls -A tmp)" ] || fail "files were left" "$(ls -A tmp)"
finish
