/* Sweeps that end in the middle, or whose memory does. They begin when the first thread is done, without being
 * ordered after it: it writes to bytes that they access, or that they do not (ends_race.c, ends_norace.c). */
#include "test.h"

#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { N = 512, LAST = 300 };
static unsigned long long volatile started, hanging,
    in_block; /* barriers that the detector does not see */
int jumped[N], ended[N], hung[N], interrupted[N], assembled[N], middle[N];
int *freed, *moved, *outlived;
int limit = LAST;

/* Without an end that a compiler could see. */
static __attribute__((noinline)) void sweep(int *a, int const *n) {
    for (int i = 0; i <= *n; i++)
        a[i]++;
}

static jmp_buf out;
static __attribute__((noinline)) void jump_at(int i) {
    if (i == LAST) longjmp(out, 1);
}
__attribute__((noinline)) void that_jumps(int *a, int n) {
    if (setjmp(out) != 0) return;
    for (int i = 0; i < n; i++) {
        a[i]++;
        jump_at(i);
    }
}

static __attribute__((noinline)) void end_at(int i) {
    if (i == LAST) pthread_exit(NULL);
}
__attribute__((noinline)) void that_ends(int *a, int n) {
    for (int i = 0; i < n; i++) {
        a[i]++;
        end_at(i);
    }
}

static __attribute__((noinline)) void hang_at(int i) {
    if (i != LAST) return;
    __tsan_testonly_barrier_wait(&hanging);
    for (;;)
        pause();
}
__attribute__((noinline)) void that_hangs(int *a, int n) {
    for (int i = 0; i < n; i++) {
        a[i]++;
        hang_at(i);
    }
}

/* The handler is part of the sweep. */
static void handler(int signal) {
    (void)signal;
    interrupted[LAST]++;
}
__attribute__((noinline)) void that_is_interrupted(int *a, int n) {
    signal(SIGUSR1, handler);
    for (int i = 0; i < n; i++) {
        a[i]++;
        if (i == 1) raise(SIGUSR1);
    }
}

/* What the assembly does is not seen; that it could do anything is known. */
__attribute__((noinline)) void with_assembly(int *a, int n) {
    for (int i = 0; i < n; i++) {
        a[i]++;
        if (i == LAST) __asm__ goto("jmp %l0" : : : "memory" : done);
        __asm__ volatile("" : : : "memory");
    }
done:
    return;
}

__attribute__((noinline)) void from_the_middle(int *a) {
    for (int i = -4; i <= 0; i++)
        a[i]++;
}

/* Before it is gone, and whoever gets the memory next is not to blame. */
__attribute__((noinline)) void before_free(void) {
    sweep(freed, &limit);
    free(freed);
}

__attribute__((noinline)) void before_realloc(void) {
    for (int i = 0; i <= limit; i++)
        moved[i]++;
    moved = realloc(moved, 64 * N * sizeof *moved);
    CHECK(moved);
    memset(moved, 0, 64 * N * sizeof *moved);
}

static __attribute__((noinline)) void publish(int *a) { outlived = a; }
__attribute__((noinline)) void of_a_block(int n) {
    {
        int local[N];
        publish(local);
        for (int i = 0; i <= n; i++)
            local[i] = i;
        __tsan_testonly_barrier_wait(&in_block);
        __tsan_testonly_barrier_wait(&in_block);
    }
    int next[N];
    publish(next);
    for (int i = 0; i <= n; i++)
        next[i] = i;
}

static void *thread_that_ends(void *unused) {
    __tsan_testonly_barrier_wait(&started);
    that_ends(ended, N);
    return unused;
}

static void *thread_that_hangs(void *unused) {
    __tsan_testonly_barrier_wait(&started);
    that_hangs(hung, N);
    return unused;
}

static void *thread_of_the_rest(void *unused) {
    __tsan_testonly_barrier_wait(&started);
    that_jumps(jumped, N);
    that_is_interrupted(interrupted, 8);
    with_assembly(assembled, N);
    from_the_middle(middle + LAST);
    before_free();
    before_realloc();
    of_a_block(LAST);
    return unused;
}

/* The first thread does its part in `touch`, then in `touch_block`, while the block is there. */
static void run_all(void (*touch)(void), void (*touch_block)(void)) {
    __tsan_testonly_barrier_init(&started, 4);
    __tsan_testonly_barrier_init(&hanging, 2);
    __tsan_testonly_barrier_init(&in_block, 2);
    freed = malloc(N * sizeof *freed);
    moved = malloc(N * sizeof *moved);
    CHECK(freed && moved);
    pthread_t ends = spawn(thread_that_ends, NULL), rest = spawn(thread_of_the_rest, NULL);
    spawn(thread_that_hangs, NULL);
    touch();
    __tsan_testonly_barrier_wait(&started);
    __tsan_testonly_barrier_wait(&in_block);
    touch_block();
    __tsan_testonly_barrier_wait(&in_block);
    __tsan_testonly_barrier_wait(&hanging);
    join(rest);
    join(ends);
}
