/* A bounded queue for many producers and many consumers, with C11 atomics (Vyukov's: every cell has a
 * sequence number that says whose turn it is). SIZE messages go through it, each larger than an atomic;
 * one half of the threads produces them, the other consumes.
 *
 * Planted: a producer says that its message is ready with a relaxed store, which orders nothing. */
#include "kernel.h"

#include <sched.h>
#include <stdatomic.h>

enum { CELLS = 256, WORDS = 6 };
#ifdef RACY
enum { PUBLISH = memory_order_relaxed };
#else
enum { PUBLISH = memory_order_release };
#endif

struct cell {
    atomic_size_t sequence;
    uint64_t words[WORDS];
};
static struct cell cells[CELLS];
static _Alignas(64) atomic_size_t tail; /* the next to be written */
static _Alignas(64) atomic_size_t head; /* the next to be read */
static atomic_ulong total;

static int produce(uint64_t seed) {
    size_t at = atomic_load_explicit(&tail, memory_order_relaxed);
    for (;;) {
        struct cell *c = &cells[at % CELLS];
        size_t turn = atomic_load_explicit(&c->sequence, memory_order_acquire);
        if (turn < at) return 0; /* full */
        if (turn > at) {
            at = atomic_load_explicit(&tail, memory_order_relaxed);
        } else if (atomic_compare_exchange_weak_explicit(&tail, &at, at + 1, memory_order_relaxed,
                                                         memory_order_relaxed)) {
            for (int i = 0; i < WORDS; i++)
                c->words[i] = kernel_random(&seed); /* planted */
            atomic_store_explicit(&c->sequence, at + 1, PUBLISH);
            return 1;
        }
    }
}

static int consume(uint64_t *sum) {
    size_t at = atomic_load_explicit(&head, memory_order_relaxed);
    for (;;) {
        struct cell *c = &cells[at % CELLS];
        size_t turn = atomic_load_explicit(&c->sequence, memory_order_acquire);
        if (turn < at + 1) return 0; /* empty */
        if (turn > at + 1) {
            at = atomic_load_explicit(&head, memory_order_relaxed);
        } else if (atomic_compare_exchange_weak_explicit(&head, &at, at + 1, memory_order_relaxed,
                                                         memory_order_relaxed)) {
            for (int i = 0; i < WORDS; i++)
                *sum += kernel_mix(c->words[i]); /* planted */
            atomic_store_explicit(&c->sequence, at + CELLS, memory_order_release);
            return 1;
        }
    }
}

/* A single thread does both. */
static void *work(void *argument) {
    int me = (int)(intptr_t)argument, producers = threads > 1 ? threads / 2 : 1;
    int produces = me < producers, consumes = me >= producers || threads == 1;
    int parts = produces ? producers : threads - producers, part = produces ? me : me - producers;
    long from = (long)((__int128)size * part / parts),
         to = (long)((__int128)size * (part + 1) / parts);
    uint64_t sum = 0;
    for (long i = from; i < to; i++) {
        while (produces && !produce(kernel_mix((uint64_t)i)))
            sched_yield();
        while (consumes && !consume(&sum))
            sched_yield();
    }
    atomic_fetch_add(&total, sum);
    return NULL;
}

int main(int argc, char **argv) {
    kernel_arguments(argc, argv, 1);
    for (size_t i = 0; i < CELLS; i++)
        atomic_init(&cells[i].sequence, i);
    kernel_run(work);
    return kernel_print("mpmc", atomic_load(&total));
}
