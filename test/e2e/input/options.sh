#!/bin/sh
# DEADHEAT_OPTIONS: what is not understood is one clear line, before the program begins.
. "$(dirname "$0")/lib.sh"

# refused OPTIONS PATTERN...
refused() {
    run "$1" ./norace
    expect "'$1' is refused" 2 "$2"
    [ "$(wc -l <err)" -eq 1 ] || fail "'$1': more than one line" "$(show)"
    [ ! -s out ] || fail "'$1': the program ran" "$(show)"
}
refused exitcod=3 "no option 'exitcod'; did you mean 'exitcode'\?"
refused halt_on_eror=1 "no option 'halt_on_eror'; did you mean 'halt_on_error'\?"
refused supressions=x "did you mean 'suppressions'\?"
refused log-path=x "did you mean 'log_path'\?"
refused zzz=1 "no option 'zzz'; did you mean"
refused =1 "no option ''"
refused "$(printf '%0500d' 0)=1" "no option '0"
refused exitcode "exitcode wants a value: exitcode=\.\.\."
refused exitcode= "exitcode wants a number, not ''"
refused exitcode=many "exitcode wants a number, not 'many'"
refused exitcode=-1 "exitcode wants a number, not '-1'"
refused exitcode=256 "exitcode wants 0 to 255"
refused exitcode=99999999999999999999 "exitcode wants a number"
refused history_size=8 "history_size wants 0 to 7"
refused io_sync=3 "io_sync wants 0 to 2"
refused halt_on_error=maybe "halt_on_error wants 0 or 1, not 'maybe'"
refused color=blue "color wants auto, always or never, not 'blue'"
refused "exitcode=1:verbosity=0 colr=never" "did you mean 'color'\?"
refused "log_path=$(printf '%05000d' 0)" "longer than"

# accepted OPTIONS: silence.
accepted() {
    run "$1" ./norace
    expect "'$1' is accepted" 0 '!.'
    ran "'$1'"
}
accepted ''
accepted ' : :: '
accepted 'exitcode=1:halt_on_error=0 history_size=7:color=never'
accepted ':exitcode=1:'
accepted 'report_atomic_races=yes:print_stats=false:symbolize=true'
accepted 'exitcode=1:exitcode=2'
accepted 'enabled=0'
accepted 'strip_path_prefix=a=b'

# without_effect OPTION: known to ThreadSanitizer's users; one line says that it does nothing.
without_effect() {
    run "$1" ./norace
    expect "'$1' has no effect" 0
    once "'$1' has no effect" "^deadheat: DEADHEAT_OPTIONS: ${1%%=*} has no effect: "
    [ "$(wc -l <err)" -eq 1 ] || fail "'$1': more than one line" "$(show)"
    ran "'$1'"
}
without_effect second_deadlock_stack=1
without_effect detect_deadlocks=0
without_effect atexit_sleep_ms=200
without_effect ignore_noninstrumented_modules=1
without_effect flush_memory_ms
run report_bugs=0 ./race
expect "report_bugs=0" 0 '!.'

# What the program brings along.
# brings NAME TEXT: builds ./brings with that function.
cat >brings.c <<'END2'
char const *DEFAULT(void);
char const *DEFAULT(void) { return TEXT; }
END2
brings() {
    deadheat cc -O1 -pthread race.c brings.c "-DDEFAULT=$1" "-DTEXT=\"$2\"" -o brings || exit 1
}
for name in deadheat_default_options __tsan_default_options; do
    brings $name exitcode=7:symbolize=0
    run '' ./brings
    expect "$name" 7 '!race\.c:'
    run exitcode=8 ./brings
    expect "the environment has the last word over $name" 8
    brings $name exitcode=x
    run '' ./brings
    expect "$name that does not parse" 2 "^deadheat: $name: exitcode wants a number, not 'x'$"
done
brings __tsan_default_options second_deadlock_stack=1:whatever_there_will_be=2:exitcode=9
run '' ./brings
expect "options of ThreadSanitizer's own" 9 '!DEADHEAT_OPTIONS' '!tsan' '!no option'
brings deadheat_default_options exitcod=7
run '' ./brings
expect "an option that is none, built in" 2 "deadheat_default_options: there is no option 'exitcod'; did you mean 'exitcode'"

run exitcode=7:exitcode=23 ./race
expect "the last one counts" 23 'data race'
run 'help=1' ./norace
expect "help lists the options" 0 'exitcode' 'symbolize' 'external_symbolizer_path' 'strip_path_prefix'
run 'verbosity=0 help=1:exitcode=5' ./race
expect "help is not in the way" 5 'suppressions'
run print_stats=1 ./race
expect "statistics" 66 '^deadheat: +threads +3$' '^deadheat: +epochs +[0-9]+$' '!check'
cat >sweep.c <<'END'
#include <pthread.h>
int swept[1000], count = 1000;
static void *sweep(void *unused) {
    for (int i = 0; i < count; i++) swept[i]++;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, sweep, 0);
    pthread_join(thread, 0);
    return 0;
}
END
deadheat cc -O2 -pthread --audit sweep.c -o sweep || fail "an audited program does not build"
run print_stats=1 ./sweep
expect "statistics of an audited program" 0 '^deadheat: +accesses +2[0-9]{3}$' '^deadheat: +checks +[0-9]$' \
    '^deadheat: +check_ratio +0\.00[0-9]$' '^deadheat: +range_bytes +4000$'
run enabled=0 ./race
expect "checking is off" 0 '!.'
run color=always ./race
escape=$(printf '\033')
expect "colour on demand" 66 "^$escape\[1;31mWARNING: Deadheat" "^$escape\[1;34m  Previous write"
run '' ./race
expect "no colour where there is no terminal" 66 "!$escape"
finish
