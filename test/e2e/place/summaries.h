/* A helper whose access its callers have checked, or whose callers rely on what it has, and each way in which that is
 * not so: somebody else calls it, or something comes between. In each case a thread calls `cases[i]`, and another
 * accesses the same afterwards: what orders the two is `released`, if anything.
 *
 * summaries_race.c: the access behind the release is the one that races. summaries_norace.c: all of it is ordered. */
#include "test.h"

#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>

enum { CASES = 15 };
int x[CASES][2];
atomic_int released[CASES];

#define APART __attribute__((noinline))

/* What a thread does in the middle: releases, in one program, or nothing. */
static APART void middle(int i);

/* ---- who calls it is not known ---- */

/* Everybody that can be seen checks first. */
static APART void by_pointer(int *p) { *p += 1; }
void (*volatile a_pointer)(int *) = by_pointer;
void calls_by_pointer(int *p) {
    *p = 1;
    by_pointer(p);
}

static APART void *as_thread(void *p) {
    *(int *)p += 1;
    return p;
}
void calls_as_thread(int *p) {
    *p = 1;
    as_thread(p);
}

static APART void as_handler(int signal) { x[2][0] += signal; }
void calls_as_handler(void) {
    x[2][0] = 1;
    as_handler(1);
}

static APART void by_alias(int *p) { *p += 1; }
extern void another_name(int *) __attribute__((alias("by_alias")));
void calls_by_alias(int *p) {
    *p = 1;
    by_alias(p);
}

static APART void by_old_style(int *p) { *p += 1; }
void calls_by_old_style(int *p) {
    *p = 1;
    by_old_style(p);
}

static APART void from_unchecked(int *p) { *p += 1; }
void calls_from_unchecked(int *p) {
    *p = 1;
    from_unchecked(p);
}
__attribute__((no_sanitize("thread"))) APART void unchecked(int *p) { from_unchecked(p); }

/* ---- something comes between ---- */

static APART void in_callee(int *p, int i) {
    middle(i);
    *p += 1;
}

static APART void behind_release(int *p) { *p += 1; }

static APART void beside(int *p) { *p += 1; }

static APART void in_recursion(int *p, int n, int i) {
    if (n == 0) return;
    if (n == 2) middle(i);
    *p += 1;
    in_recursion(p, n - 1, i);
    *p += 1;
}

/* ---- what is called does not do it, or not last ---- */

static jmp_buf out;
static APART void jumps(int *p, int now) {
    if (now) longjmp(out, 1);
    *p += 1;
}
APART void behind_jump(int *p) {
    if (setjmp(out) == 0) jumps(p, 1);
    *p += 1;
}

APART void before_jump(int *p) {
    if (setjmp(out) != 0) return;
    *p += 1;
    jumps(p, 1);
}

static APART void does_first(int *p, int i) {
    *p += 1;
    middle(i);
}
APART void behind_first(int *p, int i) {
    does_first(p, i);
    *p += 1;
}

static APART void may_do(int *p, int now) {
    if (now) *p += 1;
}
APART void behind_perhaps(int *p, int i) {
    may_do(p, 0);
    middle(i);
    may_do(p, 0);
    *p += 1;
}

static APART void frees(int **p, int i) {
    **p += 1;
    middle(i);
    free(*p);
    *p = x[i];
}
APART void behind_free(int i) {
    int *p = malloc(sizeof *p);
    *p = 1;
    frees(&p, i);
    *p += 1;
}

static void run_case(int i) {
    int *p = x[i];
    struct sigaction action = {.sa_handler = as_handler};
    switch (i) {
    case 0: a_pointer(p); break;
    case 1: join(spawn(as_thread, p)); break;
    case 2:
        CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
        CHECK(raise(SIGUSR1) == 0);
        break;
    case 3: another_name(p); break;
    case 4: ((void (*)())by_old_style)(p); break;
    case 5: unchecked(p); break;
    case 6:
        *p = 1;
        in_callee(p, i);
        break;
    case 7:
        *p = 1;
        middle(i);
        behind_release(p);
        break;
    case 8:
        *p = 1;
        middle(i);
        p[1] = 1;
        beside(p);
        break;
    case 9:
        *p = 1;
        in_recursion(p, 3, i);
        break;
    case 10: behind_jump(p); break;
    case 11: behind_first(p, i); break;
    case 12: behind_perhaps(p, i); break;
    case 13: behind_free(i); break;
    case 14: before_jump(p); break;
    }
}
