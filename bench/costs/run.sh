#!/bin/sh
# What the runtime costs where nothing is checked: run.sh DEADHEAT
#
# Start-up, sleeping threads, and single operations of libc, natively, with Deadheat and with ThreadSanitizer, turn and
# turn about. ROUNDS=n sets how often (5).
set -eu
deadheat=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$(dirname "$deadheat")")/bench/costs
clang=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$(dirname "$(dirname "$deadheat")")/CMakeCache.txt")
mkdir -p "$out"
for program in hello idle operations; do
    "$clang" -O2 -g -gdwarf-4 -pthread "$here/$program.c" -o "$out/$program.native"
    "$clang" -O2 -g -gdwarf-4 -pthread -fsanitize=thread "$here/$program.c" -o "$out/$program.tsan"
    "$deadheat" cc -O2 -g -gdwarf-4 -pthread "$here/$program.c" -o "$out/$program.deadheat"
done
exec python3 -B "$here/measure.py" --rounds "${ROUNDS:-5}" "$out"
