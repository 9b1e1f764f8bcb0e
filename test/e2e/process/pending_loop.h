/* A thread is in a loop, which nobody can count, when the process ends, or the loop: what it has read and
 * written there has happened. */
#ifndef DEADHEAT_TEST_PENDING_LOOP_H
#define DEADHEAT_TEST_PENDING_LOOP_H

#include "ends.h"
#include <setjmp.h>

enum { SIZE = 1 << 20, LAST = 700, LONG = 1 << 20 };
int keys[SIZE], *others[SIZE], other, seen[SIZE];
unsigned sum;

/* ---- one that takes hours, and does not notice what others do ---- */

static unsigned work(unsigned x) {
    for (int i = 0; i < LONG; i++)
        x = x * 1664525 + 1013904223 + (x >> 16);
    return x;
}

static void crawl(void) {
    unsigned x = 1;
    for (int i = 0; keys[i] != 1; i++) {
        seen[i] = 1;
        x = work(x);
    }
    sum = x;
}

static void *crawler(void *unused) {
    step();
    crawl();
    return unused;
}

/* The detector is not to know that we know. */
__attribute__((no_sanitize("thread"))) static void await_third(void) {
    while (((int volatile *)seen)[2] == 0)
        sched_yield();
}

/* The second round is over, the last will never be. The first may be outside of the loop, for the compiler. */
static inline void crawl_and_end(void (*end)(void), int ordered) {
    steps(2);
    spawn(crawler, NULL);
    keys[ordered ? SIZE - 1 : 1] = 2;
    step();
    await_third();
    end();
}

/* The same with what is written. */
static inline void crawl_written_and_end(void (*end)(void), int ordered) {
    steps(2);
    spawn(crawler, NULL);
    step();
    await_third();
    seen[ordered ? SIZE - 1 : 1]++;
    end();
}

static void *cancelled(void *unused) {
    CHECK(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL) == 0);
    return crawler(unused);
}

/* The same when the thread is cancelled, and the process goes on. */
static inline void crawl_cancelled_and_end(void (*end)(void), int ordered) {
    void *result;
    steps(2);
    pthread_t thread = spawn(cancelled, NULL);
    keys[ordered ? SIZE - 1 : 1] = 2;
    step();
    await_third();
    CHECK(pthread_cancel(thread) == 0);
    CHECK(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
    end();
}

/* ---- one that fails in a round that is known ---- */

static sigjmp_buf back;

__attribute__((noinline)) static void search(void) {
    int i = 0;
    while (keys[i] != *others[i])
        i++;
    other = i;
}

static void *searcher(void *unused) {
    step();
    if (sigsetjmp(back, 1) == 0) search();
    return unused;
}

/* The last key was read, the next was not. */
static inline void search_and_end(void (*end)(void), int ordered) {
    for (int i = 0; i < SIZE; i++) {
        keys[i] = 1;
        others[i] = i == LAST ? NULL : &other;
    }
    steps(2);
    pthread_t thread = spawn(searcher, NULL);
    keys[ordered ? LAST + 1 : LAST] = 2;
    step();
    join(thread);
    end();
}

static void jumps(int signal) { siglongjmp(back, signal); }
static void ends_thread(int signal) { pthread_exit((void *)(long)signal); }
static void ends_process(int signal) { exit(signal - SIGSEGV + 3); }
static void ends_process_now(int signal) { _exit(signal - SIGSEGV + 5); }

static struct {
    void (*handler)(int);
    struct end end;
} const faults[] = {
    {SIG_DFL, {by_exit, 0, 0, SIGSEGV}},  {jumps, {by_exit, 3, 66, 0}},
    {jumps, {by_exit_now, 5, 5, 0}},      {ends_thread, {by_exit, 3, 66, 0}},
    {ends_process, {by_abort, 3, 66, 0}}, {ends_process_now, {by_abort, 5, 5, 0}},
};

static inline void try_faults(int ordered) {
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        signal(SIGSEGV, faults[i].handler);
        try_end(&faults[i].end, search_and_end, ordered);
    }
    signal(SIGSEGV, SIG_DFL);
}

#endif
