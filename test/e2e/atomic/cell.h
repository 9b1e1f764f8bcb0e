/* A lock, two atomic objects and an annotated address in one cell of eight bytes, used in turn. The last release
 * of one of them has a place in the cell's record, and moves to a list when another is released, or the same by
 * another thread, and perhaps back (src/rt/last.h): what each of them orders must stay what it was.
 *
 * A case is three letters, the ways that things are given: the first thread by the first of them, twice; the
 * second thread by the others, after each. It takes nothing, but for the lock. The third thread takes, and
 * then touches what the first one wrote before it gave. */
#ifndef DEADHEAT_TEST_CELL_H
#define DEADHEAT_TEST_CELL_H

#include "test.h"

#include <deadheat.h>
#include <stdatomic.h>

struct cell {
    _Alignas(8) pthread_spinlock_t lock;
    _Atomic short stored;
    _Atomic char added;
    char noted;
};

static void give(struct cell *c, char way) {
    switch (way) {
    case 'L':
        pthread_spin_lock(&c->lock);
        pthread_spin_unlock(&c->lock);
        break;
    case 'S': atomic_store_explicit(&c->stored, 1, memory_order_release); break;
    case 'F':
        atomic_thread_fence(memory_order_release);
        atomic_store_explicit(&c->stored, 1, memory_order_relaxed);
        break;
    case 'M': atomic_fetch_add_explicit(&c->stored, 1, memory_order_release); break;
    case 'A': atomic_fetch_add_explicit(&c->added, 1, memory_order_release); break;
    default: deadheat_release(&c->noted); break;
    }
}

static void take(struct cell *c, char way) {
    switch (way) {
    case 'L':
        pthread_spin_lock(&c->lock);
        pthread_spin_unlock(&c->lock);
        break;
    case 'S':
    case 'F':
    case 'M': (void)atomic_load_explicit(&c->stored, memory_order_acquire); break;
    case 'A': (void)atomic_load_explicit(&c->added, memory_order_acquire); break;
    default: deadheat_acquire(&c->noted); break;
    }
}

#define BY_LAST(X, a, b) X(a, b, L) X(a, b, S) X(a, b, F) X(a, b, M) X(a, b, A) X(a, b, N)
#define BY_SECOND(X, a) \
    BY_LAST(X, a, L) BY_LAST(X, a, S) BY_LAST(X, a, F) BY_LAST(X, a, M) BY_LAST(X, a, A) BY_LAST(X, a, N)
#define CASES(X) \
    BY_SECOND(X, L) BY_SECOND(X, S) BY_SECOND(X, F) BY_SECOND(X, M) BY_SECOND(X, A) BY_SECOND(X, N)

/* A race that was reported before, by the same code, would not be seen. */
#define TOUCH(a, b, c)                                                          \
    static __attribute__((noinline)) void early_##a##b##c(int *p) { ++*p; } \
    static __attribute__((noinline)) void late_##a##b##c(int *p) { ++*p; }
CASES(TOUCH)

#define CASE(a, b, c) {#a #b #c, {early_##a##b##c, late_##a##b##c}},
static struct {
    char const *ways;
    void (*touch[2])(int *);
} const cases[] = {CASES(CASE)};
enum { COUNT = sizeof cases / sizeof *cases };

static struct cell cells[COUNT];
int data[2][COUNT]; /* written before the first thread gives, and before it gives again */
static int wants_race;

/* Three ways are at one object. A store ends there what another thread began. */
static char object(char way) { return way == 'F' || way == 'M' ? 'S' : way; }
static int is_over(char const *ways) {
    return object(ways[0]) == 'S' && (ways[2] == 'S' || ways[2] == 'F');
}
static int is_other(char const *ways) {
    return object(ways[0]) != object(ways[1]) && object(ways[0]) != object(ways[2]);
}
/* Which of them this program runs. */
static int is_mine(char const *ways) {
    return wants_race ? is_over(ways) || is_other(ways) : !is_over(ways);
}

static void *first(void *unused) {
    for (int i = 0; i < COUNT; i++) {
        if (!is_mine(cases[i].ways)) continue;
        data[0][i] = 1;
        give(&cells[i], cases[i].ways[0]);
        step();
        step();
        data[1][i] = 1;
        give(&cells[i], cases[i].ways[0]);
        step();
        step();
    }
    return unused;
}

static void *second(void *unused) {
    for (int i = 0; i < COUNT; i++) {
        if (!is_mine(cases[i].ways)) continue;
        step();
        give(&cells[i], cases[i].ways[1]);
        step();
        step();
        give(&cells[i], cases[i].ways[2]);
        step();
    }
    return unused;
}

static void *third(void *unused) {
    int wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        char const *ways = cases[i].ways;
        if (!is_mine(ways)) continue;
        for (int s = 0; s < 4; s++)
            step();
        if (wants_race && is_other(ways)) {
            take(&cells[i], ways[1]);
            take(&cells[i], ways[2]);
        } else {
            take(&cells[i], ways[0]);
        }
        for (int k = 0; k < 2; k++) {
            unsigned long before = deadheat_race_count();
            cases[i].touch[k](&data[k][i]);
            if ((deadheat_race_count() != before) == wants_race) continue;
            fprintf(stderr, "%s: %s\n", ways, wants_race ? "no race" : "a race");
            wrong++;
        }
    }
    CHECK(wrong == 0);
    return unused;
}

static inline int run(int race) {
    wants_race = race;
    for (int i = 0; i < COUNT; i++)
        CHECK(pthread_spin_init(&cells[i].lock, PTHREAD_PROCESS_PRIVATE) == 0);
    steps(3);
    pthread_t a = spawn(first, NULL), b = spawn(second, NULL), c = spawn(third, NULL);
    join(a);
    join(b);
    join(c);
    return 0;
}

#endif
