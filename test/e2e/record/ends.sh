#!/bin/sh
# What is left of a run that is recorded, however it ends and wherever it is recorded to.
. "$(dirname "$0")/../input/lib.sh"

# judged WHAT STATUS [TRACE]: what `deadheat replay` makes of it.
judged() {
    timeout 60 "$DEADHEAT" replay "${3:-trace}" >verdict 2>&1
    verdict=$?
    [ $verdict -eq "$2" ] || fail "$1: replay has status $verdict, not $2" "$(cat verdict)"
}
# whole WHAT [TRACE]: one race, and the run said the same.
whole() {
    judged "$1" 1 "${2:-trace}"
    grep -q 'the run reported the same bytes' verdict || fail "$1: not what the run said" "$(cat verdict)"
}
# variant NAME CODE [FLAG...]: ./NAME is ./race with CODE before its last lines.
variant() {
    name=$1 code=$2
    shift 2
    sed "s|    puts(\"done\");|    puts(\"done\"); fflush(stdout); $code|" race.c >"$name.c"
    sed -i '1i #include <signal.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n#include <sys/wait.h>' "$name.c"
    deadheat cc -O1 -pthread "$@" "$name.c" -o "$name" || exit 1
}

# ---- where to ----
run record=trace ./race
expect "a recorded run" 66 'data race' '!record'
whole "a recorded run"
grep -q 'race.c:5 set' verdict || fail "the trace does not know its source" "$(cat verdict)"
run record=trace ./norace
expect "a recorded run without races" 0 '!deadheat'
judged "a recorded run without races" 0

run record=raw:packer=none ./race
expect "not packed" 66 '!record'
whole "not packed" raw
run record=raw:packer=/nowhere/deadheat ./race
expect "nobody to pack" 66
once "nobody to pack" '^deadheat: record=.*/raw: no deadheat command found'
ran "nobody to pack"
whole "nobody to pack" raw
run record=raw:packer=/bin/true ./race
expect "a packer that is none" 66
once "a packer that is none" '^deadheat: record=.*nothing more is recorded'
ran "a packer that is none"

run record=missing/trace ./race
expect "no such directory" 66
once "no such directory" '^deadheat: record=.*/missing/trace cannot be written \(.*\): nothing more is recorded'
ran "no such directory"
run "record=$work" ./race
once "a directory for a file" '^deadheat: record=.*cannot be written'
ran "a directory for a file"
run record=/dev/full ./race
expect "a full disk" 66
once "a full disk" '^deadheat: record=/dev/full '
ran "a full disk"
run record=/dev/full:packer=none ./race
once "a full disk, not packed" '^deadheat: record=/dev/full '
ran "a full disk, not packed"

# ---- how it ends ----
variant calls_exit 'exit(4);'
variant calls__exit '_exit(4);'
variant calls_quick_exit 'quick_exit(4);'
variant exits_thread 'pthread_exit(0);'
for name in calls_exit calls__exit calls_quick_exit exits_thread; do
    rm -f trace
    run record=trace ./$name
    whole $name
done
run record=trace:halt_on_error=1 ./race
whole halt_on_error

sed 's|    puts("done");|    puts("done"); exit(0);|; s|int main(void)|static void *runs(void *unused)|' race.c >other.c
cat >>other.c <<'END2'
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, runs, 0);
    for (;;) pause();
}
END2
sed -i '1i #include <stdlib.h>' other.c
deadheat cc -O1 -pthread other.c -o other || exit 1
run record=trace ./other
expect "exit from another thread" 66
whole "exit from another thread"

# Much, and then death: what was written is judged as far as it goes, and said to be cut short.
variant killed 'int *p = calloc(1 << 20, 4); pthread_t t; for (int i = 0; i < 4; i++) { pthread_create(\&t, 0, set, (void *)3l); for (int j = 0; j < 1 << 20; j += 2) p[j]++; pthread_join(t, 0); } raise(SIGKILL);'
run record=trace ./killed
expect "killed" 137
judged "killed" 2
grep -q 'cut short' verdict || fail "killed: the trace is not said to be cut short" "$(cat verdict)"
run record=trace:packer=none ./killed
judged "killed, not packed" 2

# ---- what programs do ----
echo 'int main(void) { return 0; }' >alone.c
deadheat cc alone.c -o alone || exit 1
run record=trace ./alone
expect "one thread" 0
judged "one thread" 0

variant closes 'for (int i = 3; i < 2000; i++) close(i);'
run record=trace ./closes
expect "a program that closes what it did not open" 66
ran "a program that closes what it did not open"
once "a program that closes what it did not open" '^deadheat: record=.*nothing more is recorded'

variant forks 'if (fork() == 0) { if (fork() == 0) execl("/bin/true", "true", (char *)0); wait(0); pthread_create(\&a, 0, set, (void *)1l); pthread_create(\&b, 0, set, (void *)2l); pthread_join(a, 0); pthread_join(b, 0); exit(0); } wait(0);'
rm -f trace*
run record=trace ./forks
expect "a program that forks" 66
whole "a program that forks"
[ "$(find . -name 'trace.*' | wc -l)" -eq 1 ] || fail "not one trace of one child that ran" "$(ls)"
whole "a child of fork" trace.*

# A child of vfork has its parent's memory: its _exit is not the parent's end.
sed 's|    pthread_create(&b|    if (vfork() == 0) _exit(1);\n&|' race.c >vforks.c
sed -i '1i #include <unistd.h>' vforks.c
deadheat cc -O1 -pthread vforks.c -o vforks || exit 1
run record=trace ./vforks
expect "a child of vfork" 66
whole "a child of vfork"

# A thread that nobody was seen to make, and that is the second one.
cat >timer.c <<'END2'
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
int shared;
static sem_t done;
static void expired(union sigval value) {
    shared = value.sival_int;
    sem_post(&done);
}
int main(void) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expired};
    struct itimerspec soon = {.it_value = {0, 1000000}};
    timer_t timer;
    sem_init(&done, 0, 0);
    shared = 1;
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &soon, 0);
    sem_wait(&done);
    return shared;
}
END2
deadheat cc -O1 -pthread timer.c -o timer || exit 1
run record=trace ./timer
expect "a thread from nowhere" 0
judged "a thread from nowhere" 0

cat >threads.c <<'END2'
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
enum { THREADS = 200 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
int counter, racy[THREADS], ticks;
static void *work(void *n) {
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 50; i++) {
        pthread_mutex_lock(&mutex);
        counter++;
        pthread_mutex_unlock(&mutex);
    }
    racy[(long)n / 2]++;
    return 0;
}
static void tick(int signal) { __atomic_fetch_add(&ticks, signal, __ATOMIC_RELAXED); }
int main(void) {
    pthread_t threads[THREADS];
    struct itimerval often = {{0, 1000}, {0, 1000}};
    struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, 0);
    setitimer(ITIMER_REAL, &often, 0);
    pthread_barrier_init(&barrier, 0, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return counter == 50 * THREADS ? 0 : 1;
}
END2
deadheat cc -O2 -pthread threads.c -o threads || exit 1
run record=trace ./threads
expect "many threads, and signals" 66
whole "many threads, and signals"
grep -q 'on 400 bytes' verdict || fail "many threads: not all races" "$(cat verdict)"
finish
