/* A work-stealing pool: every thread has a deque of tasks (Chase and Lev's, with the fences of Le and
 * others, "Correct and Efficient Work-Stealing for Weak Memory Models"), works on the newest of its own
 * and steals the oldest of others. The tasks count the solutions of the SIZE queens problem: a task with
 * few rows placed makes a task for every row below it, the others count by themselves.
 *
 * Planted: the threads' counts are added up without the lock. */
#include "kernel.h"

#include <sched.h>
#include <stdatomic.h>

enum { CAPACITY = 4096, SPLIT = 3 };
struct task {
    int row;
    uint32_t columns, left, right; /* attacked in this row */
};
struct deque {
    _Alignas(64) atomic_long top;
    _Alignas(64) atomic_long bottom;
    _Atomic(struct task *) tasks[CAPACITY];
};
static struct deque *deques;
static atomic_long unfinished; /* tasks made and not yet done */
static long solutions;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void push(struct deque *d, struct task *task) {
    long bottom = atomic_load_explicit(&d->bottom, memory_order_relaxed);
    if (bottom - atomic_load_explicit(&d->top, memory_order_acquire) >= CAPACITY) abort();
    atomic_store_explicit(&d->tasks[bottom % CAPACITY], task, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&d->bottom, bottom + 1, memory_order_relaxed);
}

static struct task *take(struct deque *d) {
    long bottom = atomic_load_explicit(&d->bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&d->bottom, bottom, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    long top = atomic_load_explicit(&d->top, memory_order_relaxed);
    struct task *task = NULL;
    if (top <= bottom) {
        task = atomic_load_explicit(&d->tasks[bottom % CAPACITY], memory_order_relaxed);
        if (top < bottom) return task;
        if (!atomic_compare_exchange_strong_explicit(&d->top, &top, top + 1, memory_order_seq_cst,
                                                     memory_order_relaxed))
            task = NULL; /* a thief had the last one */
    }
    atomic_store_explicit(&d->bottom, bottom + 1, memory_order_relaxed);
    return task;
}

static struct task *steal(struct deque *d) {
    long top = atomic_load_explicit(&d->top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    long bottom = atomic_load_explicit(&d->bottom, memory_order_acquire);
    if (top >= bottom) return NULL;
    struct task *task = atomic_load_explicit(&d->tasks[top % CAPACITY], memory_order_relaxed);
    return atomic_compare_exchange_strong_explicit(&d->top, &top, top + 1, memory_order_seq_cst,
                                                   memory_order_relaxed)
               ? task
               : NULL;
}

static struct task below(struct task const *t, uint32_t column) {
    return (struct task){t->row + 1, t->columns | column, (t->left | column) << 1,
                         (t->right | column) >> 1};
}
static uint32_t open_columns(struct task const *t) {
    return ((1u << size) - 1) & ~(t->columns | t->left | t->right);
}

static long count(struct task const *t) {
    if (t->row == size) return 1;
    long found = 0;
    for (uint32_t open = open_columns(t); open; open &= open - 1) {
        struct task next = below(t, open & -open);
        found += count(&next);
    }
    return found;
}

static long execute(struct deque *mine, struct task *t) {
    long found = 0;
    if (t->row < SPLIT && t->row < size) {
        for (uint32_t open = open_columns(t); open; open &= open - 1) {
            struct task *next = malloc(sizeof *next);
            *next = below(t, open & -open);
            atomic_fetch_add_explicit(&unfinished, 1, memory_order_relaxed);
            push(mine, next);
        }
    } else {
        found = count(t);
    }
    free(t);
    atomic_fetch_sub_explicit(&unfinished, 1, memory_order_acq_rel);
    return found;
}

static void *work(void *argument) {
    int me = (int)(intptr_t)argument, victim = me;
    long mine = 0;
    while (atomic_load_explicit(&unfinished, memory_order_acquire) > 0) {
        struct task *task = take(&deques[me]);
        if (!task) {
            victim = (victim + 1) % threads;
            if (victim != me) task = steal(&deques[victim]);
        }
        if (task)
            mine += execute(&deques[me], task);
        else
            sched_yield();
    }
#ifdef RACY
    solutions += mine; /* planted */
#else
    pthread_mutex_lock(&lock);
    solutions += mine;
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

int main(int argc, char **argv) {
    kernel_arguments(argc, argv, 20);
    if (size > 16) size = 16;
    deques = aligned_alloc(64, (size_t)threads * sizeof *deques);
    memset(deques, 0, (size_t)threads * sizeof *deques);
    for (long n = 0; n < rounds; n++) {
        struct task *first = kernel_memory(sizeof *first);
        push(&deques[0], first);
        atomic_store(&unfinished, 1);
        kernel_run(work);
    }
    return kernel_print("pool", (uint64_t)solutions);
}
