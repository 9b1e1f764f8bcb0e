# shellcheck shell=sh disable=SC2034
# Shared by the driver's tests: `. "$(dirname "$0")/lib.sh"`. Each test runs in a directory of its own, calls
# `check` and `check_fails` as often as it likes, says what went wrong, and ends with `finish`.
# DEADHEAT is the command under test.
set -u
: "${DEADHEAT:?set DEADHEAT to the command under test}"
DEADHEAT=$(realpath "$DEADHEAT")
PATH=$(dirname "$DEADHEAT"):$PATH
unset DEADHEAT_OPTIONS DEADHEAT_CLANG CPATH C_INCLUDE_PATH LIBRARY_PATH MAKEFLAGS DESTDIR
export LC_ALL=C
clang=$(deadheat --version | sed -n 's/^clang: *//p')
failed=0

work=$(mktemp -d)
trap 'cd /; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1

fail() {
    failed=1
    printf 'FAILED: %s\n' "$1"
    [ $# -lt 2 ] || printf '%s\n' "$2" | sed 's/^/    /'
}

# check WHAT COMMAND...: the command succeeds, in silence on standard error.
check() {
    what=$1
    shift
    "$@" >out 2>err
    status=$?
    if [ $status -ne 0 ] || [ -s err ]; then
        fail "$what (status $status): $*" "$(cat out err)"
    fi
}

# check_fails WHAT STATUS PATTERN COMMAND...: the command fails with that status, and with one line on
# standard error that the pattern (of grep -E) matches.
check_fails() {
    what=$1 wanted=$2 pattern=$3
    shift 3
    "$@" >out 2>err
    status=$?
    if [ $status -ne "$wanted" ] || [ "$(wc -l <err)" -ne 1 ] || ! grep -Eq -- "$pattern" err; then
        fail "$what (status $status, wanted $wanted and one line with '$pattern'): $*" "$(cat out err)"
    fi
}

# check_instrumented FILES...: each object, library or program calls the runtime.
check_instrumented() {
    for file in "$@"; do
        nm "$file" 2>err | grep -q '__dh_' || fail "$file has no checks in it" "$(nm "$file" 2>&1)"
    done
}

# check_race PROGRAM: it reports a race; check_norace PROGRAM: it does not, and succeeds.
check_race() {
    "$@" >out 2>err
    status=$?
    [ $status -eq 66 ] || fail "$* ended with $status, not with 66 for its race" "$(cat out err)"
}
check_norace() { check "a correct program runs undisturbed" "$@"; }

# The command line that clang would run for its linker, one argument a line: link_line ARGS...
link_line() { deadheat "$@" '-###' 2>&1 | grep -E '"[^"]*/(ld|ld\.[a-z]+)"' | tr ' ' '\n' | tr -d '"'; }

finish() { exit $failed; }

# Programs to compile: a race and its absence, as two threads.
cat >race.c <<'END'
#include <pthread.h>
long shared;
static void *add(void *p) { (void)p; shared++; return 0; }
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, add, 0);
    add(0);
    pthread_join(other, 0);
    return 0;
}
END
sed 's/    add(0);//' race.c >norace.c
