#!/bin/sh
# Builds a program with deadheat and holds its run against the verdict in its name.
#
#   verdict.sh DEADHEAT SOURCE [CLANG_FLAG...]
#
# ..._race: the run must report a race and exit with 66. ..._norace: it must exit with 0 and say nothing.
# fn_..._race and fp_..._norace are known gaps: the opposite is expected, and a change is a failure too.
# Comments in the source ask for more:
#   FLAGS: clang flags       LEVELS: -O0 -O2 (that is the default)
#   ENV: NAME=value ...      EXPECT: a regular expression that standard error must match
#   REJECT: one that it must not match
# The default detector is tried at every level, the others at the last one.
# VERDICT_LEVELS in the environment replaces the default of LEVELS, VERDICT_DETECTORS the list of others.
set -u
deadheat=$1 source=$2
shift 2
name=$(basename "$source"); name=${name%.*}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

directive() { sed -n "s@ *\*/ *\$@@; s@^.*[/*] $1: @@p" "$source"; }

case $name in
    fn_*_race) want=0 ;;
    fp_*_norace) want=66 ;;
    *_norace) want=0 ;;
    *_race) want=66 ;;
    *) echo "$source: the name has no verdict"; exit 2 ;;
esac
case $source in *.cpp) verb=c++ ;; *) verb=cc ;; esac
levels=$(directive LEVELS)
[ -n "$levels" ] || levels=${VERDICT_LEVELS:--O0 -O2}
failed=0

try() { # LEVEL [--detector=NAME]
    program=$scratch/$name
    if ! "$deadheat" $verb $* $flags "$source" -o "$program" -pthread 2>"$scratch/build"; then
        echo "$name $*: does not build"; cat "$scratch/build"; failed=1; return
    fi
    env $(directive ENV) timeout 120 "$program" >"$scratch/out" 2>"$scratch/err"
    got=$?
    problem=
    [ $got = $want ] || problem="exit status $got, expected $want"
    if [ $want = 66 ] && ! grep -q '^WARNING: Deadheat: data race' "$scratch/err"; then
        problem="$problem; no report"
    fi
    if [ $want = 0 ] && grep -q -i deadheat "$scratch/err"; then problem="$problem; it speaks"; fi
    directive EXPECT >"$scratch/expect"
    while IFS= read -r pattern; do
        grep -Eq -- "$pattern" "$scratch/err" || problem="$problem; nothing matches '$pattern'"
    done <"$scratch/expect"
    directive REJECT >"$scratch/reject"
    while IFS= read -r pattern; do
        grep -Eq -- "$pattern" "$scratch/err" && problem="$problem; something matches '$pattern'"
    done <"$scratch/reject"
    if [ -n "$problem" ]; then
        echo "$name $*: ${problem#; }"; cat "$scratch/out" "$scratch/err"; failed=1
    fi
}

flags="$* $(directive FLAGS)"
for level in $levels; do try "$level"; done
case $flags in *--detector=*) exit $failed ;; esac
for detector in ${VERDICT_DETECTORS-fasttrack redcard slimstate slimcard}; do try "$level" --detector="$detector"; done
exit $failed
