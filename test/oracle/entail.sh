#!/bin/sh
# Compiles sources to bitcode and has entail judge it. For -flto=thin the compiler stops where checks are placed: loops
# are rotated and not vectorised. Its own sanitizer is to put nothing in.
#   entail.sh ENTAIL CLANG SOURCE...
set -eu
entail=$1 clang=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
count=0
for source; do
    count=$((count + 1))
    "$clang" -std=gnu17 -D_GNU_SOURCE -w -O2 -flto=thin -fno-finite-loops -Xclang -fsanitize=thread \
        -mllvm -tsan-instrument-memory-accesses=0 -mllvm -tsan-instrument-func-entry-exit=0 \
        -mllvm -tsan-instrument-atomics=0 -mllvm -tsan-instrument-memintrinsics=0 \
        -I"$here/../../src" -I"$here/../../include" -c "$source" -o "$out/$count.bc"
done
"$entail" "$out"/*.bc
