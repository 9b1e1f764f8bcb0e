/* Breadth-first search, level by level, in a random graph of SIZE nodes: who first changes a node's
 * distance, with a compare-and-exchange, has it in its part of the next level. A barrier after each.
 *
 * Planted: the size of the next level is added up without the atomic, between the same two barriers. */
#include "kernel.h"

#include <stdatomic.h>

enum { DEGREE = 8, UNSEEN = -1 };
static int *edges; /* DEGREE a node */
static _Atomic int *distance;
static int *levels[2]; /* this level's nodes and the next's, each thread's in a part of its own */
static long part_size, counts[2][KERNEL_THREADS];
static pthread_barrier_t barrier;
#ifdef RACY
static long level_size;
#else
static atomic_long level_size;
#endif

static long visit(int node, int depth, int *next) {
    long found = 0;
    for (int e = 0; e < DEGREE; e++) {
        int to = edges[(long)node * DEGREE + e], unseen = UNSEEN;
        if (atomic_load_explicit(&distance[to], memory_order_relaxed) != UNSEEN) continue;
        if (atomic_compare_exchange_strong_explicit(&distance[to], &unseen, depth,
                                                    memory_order_relaxed, memory_order_relaxed))
            next[found++] = to;
    }
    return found;
}

static void *work(void *argument) {
    int me = (int)(intptr_t)argument;
    for (int depth = 1;; depth++) {
        int now = depth % 2, then = 1 - now;
        int *mine = levels[then] + me * part_size;
        long found = 0, index = 0;
        for (int t = 0; t < threads; t++) /* every threads-th node of the level */
            for (long i = 0; i < counts[now][t]; i++, index++)
                if (index % threads == me)
                    found += visit(levels[now][t * part_size + i], depth, mine + found);
        counts[then][me] = found;
        level_size += found; /* planted */
        pthread_barrier_wait(&barrier);
        long all = level_size;
        pthread_barrier_wait(&barrier);
        if (me == 0) level_size = 0;
        pthread_barrier_wait(&barrier);
        if (all == 0) return NULL;
    }
}

int main(int argc, char **argv) {
    kernel_arguments(argc, argv, 1);
    edges = kernel_memory((size_t)size * DEGREE * sizeof *edges);
    distance = kernel_memory((size_t)size * sizeof *distance);
    part_size = size; /* one thread may find all of a level */
    for (int i = 0; i < 2; i++)
        levels[i] = kernel_memory((size_t)threads * (size_t)part_size * sizeof *levels[i]);
    uint64_t seed = 5, sum = 0;
    for (long i = 0; i < size * DEGREE; i++)
        edges[i] = (int)(kernel_random(&seed) % (uint64_t)size);
    pthread_barrier_init(&barrier, NULL, (unsigned)threads);
    for (long n = 0; n < rounds; n++) {
        int source = (int)(n * 7919 % size);
        for (long i = 0; i < size; i++)
            atomic_init(&distance[i], UNSEEN);
        distance[source] = 0;
        levels[1][0] = source;
        memset(counts, 0, sizeof counts);
        counts[1][0] = 1;
        kernel_run(work);
        for (long i = 0; i < size; i++)
            sum += kernel_mix((uint64_t)i) * (uint64_t)(distance[i] + 2);
    }
    return kernel_print("bfs", sum);
}
