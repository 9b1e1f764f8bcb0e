# shellcheck shell=sh
# Shared by the tests of what a program built with deadheat does with bad input and bad surroundings:
# `. "$(dirname "$0")/lib.sh"`. On top of the driver's (../driver/lib.sh): ./race has one race and prints
# "done", ./norace has none.
. "$(dirname "$0")/../driver/lib.sh"

cat >race.c <<'END2'
#include <pthread.h>
#include <stdio.h>
int shared;
static void *set(void *value) {
    shared = (int)(long)value;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, set, (void *)1l);
    pthread_create(&b, 0, set, (void *)2l);
    pthread_join(a, 0);
    pthread_join(b, 0);
    puts("done");
    return 0;
}
END2
sed 's/shared = (int)/static _Thread_local int own; own = (int)/' race.c >norace.c
deadheat cc -O1 -pthread race.c -o race && deadheat cc -O1 -pthread norace.c -o norace || exit 1

# run OPTIONS COMMAND...: with DEADHEAT_OPTIONS; $status, out and err are what came of it.
run() {
    options=$1
    shift
    DEADHEAT_OPTIONS=$options timeout 60 "$@" >out 2>err
    status=$?
}

show() { printf 'status %s\n' "$status"; cat out err; }

# expect WHAT STATUS [PATTERN...]: the last run ended so, and each pattern (of grep -E) matches a line of
# its standard error; with a leading "!" none.
expect() {
    what=$1 wanted=$2
    shift 2
    [ "$status" -eq "$wanted" ] || fail "$what: status $status, not $wanted" "$(show)"
    for pattern in "$@"; do
        case $pattern in
            !*) ! grep -Eq -- "${pattern#!}" err || fail "$what: something matches '${pattern#!}'" "$(show)" ;;
            *) grep -Eq -- "$pattern" err || fail "$what: nothing matches '$pattern'" "$(show)" ;;
        esac
    done
}

# ran WHAT: the program got to its end, and its output was not lost.
ran() { grep -qx done out || fail "$1: the program did not get to its end" "$(show)"; }

# once WHAT PATTERN: exactly one line of standard error matches.
once() {
    count=$(grep -Ec -- "$2" err)
    [ "$count" -eq 1 ] || fail "$1: $count lines match '$2', not one" "$(show)"
}
