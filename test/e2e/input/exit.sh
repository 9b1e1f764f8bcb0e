#!/bin/sh
# How programs end: 66 in place of any status of their own, unless they are told otherwise; death by a
# signal and _exit keep their meaning.
. "$(dirname "$0")/lib.sh"

# ends NAME CODE: builds ./NAME from race.c, with CODE in place of its last return.
ends() {
    sed "s|    return 0;\$|&|; s|    puts(\"done\");|    puts(\"done\"); $2|" race.c >"$1.c"
    sed -i '1i #include <signal.h>\n#include <stdlib.h>\n#include <unistd.h>' "$1.c"
    deadheat cc -O1 -pthread "$1.c" -o "$1" || exit 1
}
ends returns 'return 3;'
run '' ./returns
expect "a race and a status of its own" 66 'data race' '^deadheat: 1 race reported'
ran "a race and a status of its own"
run exitcode=0 ./returns
expect "exitcode=0 leaves a status alone" 3 'data race' '^deadheat: 1 race reported'
run exitcode=0 ./race
expect "exitcode=0 leaves success alone" 0 'data race'
run exitcode=1 ./returns
expect "another exitcode" 1 'data race'

ends calls_exit 'exit(4);'
run '' ./calls_exit
expect "exit" 66 '^deadheat: 1 race reported'
ends calls__exit 'fflush(stdout); _exit(4);'
run '' ./calls__exit
expect "_exit keeps its status" 4 'data race'
ends calls_quick_exit 'fflush(stdout); quick_exit(4);'
run '' ./calls_quick_exit
case $status in 4 | 66) ;; *) fail "quick_exit: status $status" "$(show)" ;; esac
ends raises 'fflush(stdout); raise(SIGTERM);'
run '' ./raises
expect "death by a signal" 143 'data race'
ends aborts 'fflush(stdout); abort();'
ulimit -c 0
run '' ./aborts
expect "abort" 134 'data race'
ends crashes 'fflush(stdout); *(int volatile *)8 = 0;'
run '' ./crashes
expect "a crash" 139 'data race'
ends exits_thread 'fflush(stdout); pthread_exit(0);'
run '' ./exits_thread
expect "the main thread leaves by pthread_exit" 66 '^deadheat: 1 race reported'
ends execs 'fflush(stdout); execl("/bin/true", "true", (char *)0);'
run '' ./execs
expect "exec of another program" 0 'data race'

run halt_on_error=1 ./race
expect "halt_on_error" 66 'data race' 'halt_on_error'
[ ! -s out ] || fail "halt_on_error: the program went on" "$(show)"
run halt_on_error=1:exitcode=9 ./race
expect "halt_on_error with a status" 9 'data race'
run halt_on_error=1:exitcode=0 ./race
[ $status -eq 0 ] || fail "halt_on_error with exitcode=0: $status" "$(show)"
printf 'race:set\n' >list
run halt_on_error=1:suppressions=list ./race
expect "halt_on_error, suppressed" 0 '!WARNING'
ran "halt_on_error, suppressed"

# The hooks that ThreadSanitizer has.
cat >more.c <<'END2'
int initialized;
void __tsan_on_initialize(void) { initialized = 1; }
int __tsan_on_finalize(int failed) {
    printf("failed %d, initialized %d\n", failed, initialized);
    return VERDICT;
}
END2
cat race.c more.c >hooks.c
deadheat cc -O1 -pthread hooks.c -DVERDICT=0 -o hooks || exit 1
run '' ./hooks
expect "__tsan_on_finalize forgives" 0 'data race' '^deadheat: 1 race reported'
grep -qx 'failed 1, initialized 1' out || fail "__tsan_on_finalize is not called" "$(show)"
sed 's/    shared = .*/    (void)value;/' hooks.c >hooks_norace.c
deadheat cc -O1 -pthread hooks_norace.c -DVERDICT=1 -o hooks || exit 1
run '' ./hooks
expect "__tsan_on_finalize does not forgive" 66 '!data race'

# Output that is still in a buffer, and the program's own exit handlers, are not lost to the status.
sed 's|int main(void) {|#include <stdlib.h>\nstatic void bye(void) { printf("bye"); }\n&\n    atexit(bye);|' race.c >handlers.c
deadheat cc -O1 -pthread handlers.c -o handlers || exit 1
run '' ./handlers
expect "exit handlers" 66
[ "$(tail -n 1 out)" = bye ] || fail "the output of an exit handler is lost" "$(show)"

# A race in an exit handler is found too.
cat >late.c <<'END2'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
int shared;
static void *set(void *unused) { (void)unused; shared = 1; return 0; }
static void bye(void) { shared = 2; }
int main(void) {
    pthread_t a;
    atexit(bye);
    pthread_create(&a, 0, set, 0);
    usleep(100000);
    return 0;
}
END2
deadheat cc -O1 -pthread late.c -o late || exit 1
run '' ./late
expect "a race with an exit handler" 66 '#0 bye|#0 set'
finish
