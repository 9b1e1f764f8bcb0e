#!/bin/sh
# Zero means zero: repeat.sh DEADHEAT SOURCE RUNS STATUS [CLANG_FLAG...]
#
# Builds the program and runs it so many times. Every run must end with that status: 66, with exactly one
# report, or 0, with none. Reports are not symbolised, which would take most of the time. A line
# "// FLAGS: ..." in the source is heeded, as verdict.sh does.
set -u
deadheat=$1 source=$2 runs=$3 wanted=$4
shift 4
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
flags=$(sed -n 's@^// FLAGS: *@@p' "$source")
case $source in *.cpp) verb=c++ ;; *) verb=cc ;; esac
for level in -O0 -O2; do
    "$deadheat" $verb $level "$@" $flags "$source" -o "$scratch/program" -pthread || exit 1
    run=0 bad=0
    while [ $run -lt "$runs" ]; do
        run=$((run + 1))
        DEADHEAT_OPTIONS=symbolize=0 timeout 60 "$scratch/program" >"$scratch/out" 2>"$scratch/err"
        status=$?
        reports=$(grep -c '^WARNING: Deadheat: data race' "$scratch/err")
        if [ $status -eq "$wanted" ] && [ "$reports" -eq $((wanted != 0)) ]; then continue; fi
        bad=$((bad + 1))
        echo "$level: run $run ended with status $status and $reports reports"
        [ $bad -gt 1 ] || cat "$scratch/out" "$scratch/err"
        [ $bad -lt 10 ] || break
    done
    echo "$level: $run runs, $bad of them wrong"
    [ $bad -eq 0 ] || exit 1
done
