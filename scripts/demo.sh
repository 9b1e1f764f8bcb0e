#!/bin/sh
# Shows Deadheat at work: demo.sh DEADHEAT. A racy program and its report, then the fixed program.
# Exits with 0 if both behaved as they should.
set -eu

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
    echo "usage: demo.sh DEADHEAT   (the command, for example build/bin/deadheat)" >&2
    exit 2
fi
deadheat=$1
sources=$(dirname "$0")/demo
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

say() { printf '\n== %s\n' "$*"; }

# Compiles $1.c and runs it; $status is how it ended.
build_and_run() {
    printf '\n$ %s cc -pthread %s -o %s\n' "$deadheat" "$sources/$1.c" "$1"
    "$deadheat" cc -pthread "$sources/$1.c" -o "$work/$1"
    printf '$ ./%s\n' "$1"
    status=0
    env -u DEADHEAT_OPTIONS "$work/$1" 2>&1 || status=$?
    printf '$ echo $?\n%s\n' "$status"
}

say "A racy program: two threads add to one counter without a lock."
sed -n '/^static void/,/^}/p' "$sources/counter_race.c"
build_and_run counter_race
if [ "$status" -ne 66 ]; then
    say "No race was reported (status $status, 66 was expected). This should not happen: please report it."
    exit 1
fi
say "Deadheat found the race: above are both accesses, their stacks, and the variable.
   The program ran to its end; 66 is its exit status because a race was reported
   (DEADHEAT_OPTIONS=exitcode=0 leaves the status alone)."

say "The fixed program: the same, with a mutex around the addition."
sed -n '/^static void/,/^}/p' "$sources/counter_norace.c"
build_and_run counter_norace
if [ "$status" -ne 0 ]; then
    say "The correct program ended with status $status. This should not happen: please report it."
    exit 1
fi
say "No race, no report, and the program's own exit status."

here=$(realpath "$deadheat")
say "What to try next"
cat <<END
   your own program     CC="$here cc" ./configure && make
   a CMake project      cmake -DCMAKE_C_COMPILER=$here-cc ...
   machine-readable     DEADHEAT_OPTIONS=log_path=races ./program   writes races.PID, one JSON line per race
   stop at a race       DEADHEAT_OPTIONS=halt_on_error=1 ./program
   more                 $deadheat cc --help; man docs/deadheat.1
END
