#!/bin/sh
# Not enough address space or memory: one clear line before the program begins, never a crash.
. "$(dirname "$0")/lib.sh"

for kilobytes in 1000000 8000000 100000000; do
    run '' sh -c "ulimit -v $kilobytes; exec ./norace"
    expect "ulimit -v $kilobytes" 2 "^deadheat: .*$kilobytes kB \(ulimit -v\)"
    [ "$(wc -l <err)" -eq 1 ] || fail "ulimit -v $kilobytes: more than one line" "$(show)"
    [ ! -s out ] || fail "ulimit -v $kilobytes: the program ran unchecked" "$(show)"
done
# Too small even to load the program: the loader or the kernel says so, or we do.
run '' sh -c 'ulimit -v 2000; exec ./norace'
[ $status -ne 0 ] || fail "ulimit -v 2000 goes unnoticed" "$(show)"

# limited NAME CODE: builds ./NAME from race.c, with CODE at the start of main.
limited() {
    sed "s|^int main(void) {|#include <stdlib.h>\n#include <sys/resource.h>\n&\n    $2|" race.c >"$1.c"
    deadheat cc -O1 -pthread "$1.c" -o "$1" || exit 1
}
limited fileless 'setrlimit(RLIMIT_NOFILE, \&(struct rlimit){3, 3});'
run "log_path=$work/log" ./fileless
expect "no file descriptor left" 66 'data race' '#0 \((fileless\+)?0x[0-9a-f]+\)$'
once "no file descriptor left" '^deadheat: log_path: .*cannot be written'
ran "no file descriptor left"

# Memory that runs out while the program runs: one clear line. A thread is alive, so that things are recorded; a
# million atomics then need more records than there is room for.
cat >full.c <<'END2'
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/resource.h>
static int many[1 << 20];
static sem_t started, never;
static void *sleeper(void *unused) {
    sem_post(&started);
    sem_wait(&never);
    return unused;
}
int main(void) {
    pthread_t thread;
    unsigned long pages;
    if (pthread_create(&thread, 0, sleeper, 0) != 0) return 1;
    sem_wait(&started);
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%lu", &pages) != 1) return 1;
    fclose(file);
    rlim_t limit = pages * 4096 + (1 << 20);
    setrlimit(RLIMIT_AS, &(struct rlimit){limit, limit});
    for (int i = 0; i < 1 << 20; i++)
        __atomic_fetch_add(&many[i], 1, __ATOMIC_SEQ_CST);
    return 1;
}
END2
deadheat cc -O1 -pthread full.c -o full || exit 1
run '' ./full
expect "memory runs out" 2 "^deadheat: out of memory: [0-9]+ bytes for the runtime's records could not be had"
[ "$(wc -l <err)" -eq 1 ] || fail "memory runs out: more than one line" "$(show)"
run '' sh -c 'exec ./race 0<&-'
expect "standard input closed" 66 '#0 set'
ran "standard input closed"
run '' sh -c 'exec ./race 2>&-'
[ $status -eq 66 ] || fail "standard error closed: status $status" "$(show)"
ran "standard error closed"
run '' sh -c 'exec ./race 2>/dev/full'
[ $status -eq 66 ] || fail "standard error full: status $status" "$(show)"
ran "standard error full"
run '' sh -c 'ulimit -s 256; exec ./race'
expect "a small stack" 66 '#0 set'
ran "a small stack"
finish
