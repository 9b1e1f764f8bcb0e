#!/bin/sh
# enabled=0 turns a program back into itself, as nearly as can be: also where there is no room for shadow.
. "$(dirname "$0")/lib.sh"

# everywhere WHAT STATUS COMMAND...: unchecked, with all room and with little.
everywhere() {
    what=$1 wanted=$2
    shift 2
    for limit in unlimited 8000000 600000; do
        run enabled=0 sh -c "ulimit -c 0; ulimit -v $limit; exec \"\$@\"" sh "$@"
        [ "$wanted" -ge 128 ] || expect "$what, $limit kB" "$wanted" '!deadheat' '!Deadheat'
        [ "$status" -eq "$wanted" ] || fail "$what, $limit kB: status $status, not $wanted" "$(show)"
    done
}
everywhere "a race" 0 ./race
ran "a race"
everywhere "no race" 0 ./norace

# Memory, threads, and every signal blocked that can be.
cat >works.c <<'END2'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long total;
static void *work(void *unused) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, 0);
    for (int i = 0; i < 50; i++) {
        size_t size = (size_t)1 << (10 + i % 12);
        unsigned char *block = malloc(size);
        memset(block, 1, size);
        long sum = 0;
        for (size_t j = 0; j < size; j++)
            sum += block[j];
        pthread_mutex_lock(&mutex);
        total += sum;
        pthread_mutex_unlock(&mutex);
        free(block);
    }
    return unused;
}
static void handler(int signal) {
    static int seen[65];
    seen[signal]++;
    work(0);
}
int main(void) {
    struct sigaction action = {.sa_handler = handler};
    sigfillset(&action.sa_mask);
    sigaction(SIGUSR1, &action, 0);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    raise(SIGUSR1);
    puts("done");
    return total == 0;
}
END2
deadheat cc -O1 -pthread works.c -o works || exit 1
everywhere "memory, threads and signals" 0 ./works
ran "memory, threads and signals"

# The program's own faults are its own.
cat >faults.c <<'END2'
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static sigjmp_buf back;
static int volatile caught, *where = (int volatile *)16;
static void handler(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    caught += info->si_addr == (void *)where;
    siglongjmp(back, 1);
}
static void once(int signal) {
    (void)signal;
    caught++;
    siglongjmp(back, 1);
}
int main(int argc, char **argv) {
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO}, old;
    if (argc > 1 && !strcmp(argv[1], "die")) *where = 1;
    if (argc > 1 && !strcmp(argv[1], "kill")) raise(SIGSEGV);
    if (sigaction(SIGSEGV, &action, &old) != 0 || old.sa_handler != SIG_DFL) return 1;
    if (sigaction(SIGSEGV, 0, &old) != 0 || old.sa_sigaction != handler) return 2;
    for (int volatile i = 0; i < 3; i++)
        if (!sigsetjmp(back, 1)) *where = 1;
    if (signal(SIGSEGV, once) == SIG_ERR) return 3;
    if (!sigsetjmp(back, 1)) raise(SIGSEGV);
    signal(SIGSEGV, SIG_IGN);
    raise(SIGSEGV);
    puts("done");
    return caught != 4;
}
END2
deadheat cc -O1 faults.c -o faults || exit 1
everywhere "faults that it handles" 0 ./faults
ran "faults that it handles"
everywhere "a fault" 139 ./faults die
everywhere "a signal" 139 ./faults kill

# What a program tells about itself does no harm.
here=$(dirname "$0")/..
case $here in /*) ;; *) here=$OLDPWD/$here ;; esac
for program in fiber/switch annotate/order annotate/ignore_sync; do
    deadheat cc -O1 -pthread -I"$here" "$here/${program}_norace.c" -o annotated || exit 1
    everywhere "$program" 0 ./annotated
done

# With checking on, too.
run '' ./faults
expect "faults, checked" 0 '!.'
finish
