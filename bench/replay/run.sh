#!/bin/sh
# What judging a trace costs: a run of the SOR kernel with a check at every access, recorded.
# Usage: run.sh DEADHEAT BUILD
set -eu
deadheat=$1
build=$2
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
iterations=${ITERATIONS:-5}
size=${SIZE:-1000}

"$deadheat" cc -O2 -pthread --detector=fasttrack "$here/../kernels/sor.c" -o "$work/sor"
DEADHEAT_OPTIONS=record=$work/trace "$work/sor" 2 "$size" "$iterations" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
echo "SOR, $size x $size, $iterations iterations, recorded"
ls -l "$work/trace" | awk '{ printf "trace        %10.1f MB\n", $5 / 1048576 }'
"$build/bench/replay_bench" "$work/trace" fasttrack djit vectorclock
