#!/bin/sh
# What judging a trace costs: a run of the SOR kernel, recorded, or written where it cannot be recorded.
# Usage: run.sh DEADHEAT BUILD
set -eu
deadheat=$1
build=$2
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
iterations=${ITERATIONS:-5}
size=${SIZE:-1000}

"$deadheat" cc -O2 -pthread "$here/../kernels/sor.c" -o "$work/sor"
if DEADHEAT_OPTIONS=record=$work/trace "$work/sor" 2 "$size" "$iterations" >"$work/log" 2>&1 && [ -s "$work/trace" ]; then
    echo "SOR, $size x $size, $iterations iterations, recorded"
else
    "$build/bench/sor_trace" "$iterations" "$size" >"$work/trace"
    echo "SOR, $size x $size, $iterations iterations, as written by bench/replay/sor_trace.c"
fi
ls -l "$work/trace" | awk '{ printf "trace        %10.1f MB\n", $5 / 1048576 }'
"$build/bench/replay_bench" "$work/trace" fasttrack djit vectorclock
