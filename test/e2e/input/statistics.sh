#!/bin/sh
# What print_stats=1 counts of compressed shadow (docs/compressed.md): how blocks are stepped, and why they become fine.
. "$(dirname "$0")/lib.sh"

cat >steps.c <<'CODE'
#include <pthread.h>
#include <string.h>
enum { CELLS = 8 * 128 /* eight blocks */, READERS = 40 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long cells[CELLS] __attribute__((aligned(65536)));
static char const *what;
static void *volatile hidden = cells;
static _Thread_local long volatile kept;
static void next_epoch(void) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}
static void sweep(long from, long to, long by) {
    long *a = hidden;
    for (long i = from; i < to; i += by)
        a[i]++;
}
static void *read_all(void *unused) {
    long *a = hidden, sum = 0;
    for (long i = 0; i < CELLS; i++)
        sum += a[i];
    kept = sum;
    return unused;
}
static void *work(void *unused) {
    long volatile *one = hidden;
    if (!strcmp(what, "blocks")) sweep(0, CELLS, 1);
    if (!strcmp(what, "lists")) sweep(10, 100, 1);
    if (!strcmp(what, "strides")) sweep(0, CELLS, 2);
    if (!strcmp(what, "short"))
        for (long i = 0; i < 40; i += 3, next_epoch())
            one[i]++;
    if (!strcmp(what, "full")) /* a piece more each time */
        for (long i = 0; i < 40; i += 2, next_epoch())
            sweep(i, 128, 1);
    if (!strcmp(what, "readers")) {
        pthread_t readers[READERS];
        for (int i = 0; i < READERS; i++)
            pthread_create(&readers[i], 0, read_all, 0);
        for (int i = 0; i < READERS; i++)
            pthread_join(readers[i], 0);
    }
    if (!strcmp(what, "broken")) {
        sweep(0, CELLS, 2);
        next_epoch();
        sweep(10, 100, 1);
    }
    return unused;
}
int main(int count, char **arguments) {
    pthread_t thread;
    (void)count;
    what = arguments[1];
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
CODE
deadheat cc -O2 -pthread steps.c -o steps || fail "the program does not build"

# counted NAME: what the last run counted.
counted() { sed -n "s/^deadheat: *$1 *\([0-9]*\)\$/\1/p" err; }
counters='record_steps block_steps list_steps stride_steps refined_short refined_full refined_record refined_stride'

# What the program does otherwise, outside its cells, is counted too.
run print_stats=1 ./steps nothing
for c in $counters; do
    eval "usual_$c=$(counted $c)"
    [ -n "$(counted $c)" ] || fail "no $c" "$(cat err)"
done

# steps WHAT RANGES BYTES COUNTER...: these go up, by as much as said or by anything, and so do no other
# reasons to become fine; so many ranges were checked.
steps() {
    what=$1 ranges=$2 bytes=$3
    shift 3
    run print_stats=1 ./steps "$what"
    [ "$(counted ranges) $(counted range_bytes)" = "$ranges $bytes" ] || fail "$what: ranges" "$(cat err)"
    for c in $counters; do
        eval "more=\$(($(counted $c) - usual_$c))" wanted=
        for w; do case $w in $c | $c=*) wanted=$w ;; esac; done
        case $wanted in
            '') case $c in refined_short | *_steps) continue ;; esac
                [ "$more" = 0 ] || fail "$what: $c, by $more" "$(cat err)" ;;
            *=*) [ "$more" = "${wanted#*=}" ] || fail "$what: not $wanted but $more" "$(cat err)" ;;
            *) [ "$more" -gt 0 ] || fail "$what: no $c" "$(cat err)" ;;
        esac
    done
}
steps blocks 1 8192 block_steps=8 stride_steps=0 record_steps=0
steps lists 1 720 list_steps block_steps=0 stride_steps=0 record_steps=0
steps strides 1 4096 stride_steps=8 block_steps=0 record_steps=0
steps short 0 0 refined_short block_steps=0 stride_steps=0 record_steps=0
steps full 20 17440 refined_full list_steps stride_steps=0 record_steps=0
steps broken 2 4816 refined_stride=1 stride_steps=8 record_steps=0
steps readers 40 327680 refined_record record_steps block_steps stride_steps=0
finish
