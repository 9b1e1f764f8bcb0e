#!/bin/sh
# A sleeping thread costs at most 64 kB of memory more than natively: idle_test.sh DEADHEAT CLANG IDLE.C
set -eu
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
"$2" -O2 -g -pthread "$3" -o "$directory/native"
"$1" cc -O2 -g -pthread "$3" -o "$directory/checked"
native=$("$directory/native" 1000)
checked=$("$directory/checked" 1000)
echo "kilobytes for each thread, resident and virtual: natively $native, with deadheat $checked"
echo "$native $checked" | awk '{ exit !($3 - $1 <= 64) }'
