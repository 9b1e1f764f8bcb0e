#!/bin/sh
# What recording a run costs: run.sh DEADHEAT
#
# sor and sparse of bench/kernels with --detector=fasttrack, without and with DEADHEAT_OPTIONS=record=FILE, turn and turn
# about. ROUNDS=n sets how often (5); the least of each counts. The limit is 3.
set -eu
deadheat=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$(dirname "$deadheat")")/bench
mkdir -p "$out"
for kernel in sor sparse; do
    "$deadheat" cc -O2 -g -pthread --detector=fasttrack "$here/../kernels/$kernel.c" -o "$out/$kernel.fasttrack"
done
exec python3 "$here/measure.py" --rounds "${ROUNDS:-5}" "$out/sor.fasttrack 2 1000 50" "$out/sparse.fasttrack 2 50000 300"
