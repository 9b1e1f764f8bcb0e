/* What all kernels share: arguments, threads, random numbers, the line with the checksum.
 *
 * A kernel is one file and this header: NAME THREADS SIZE [ROUNDS]. It prints one line, which depends
 * on these three and on nothing else: not on the schedule, not on the compiler. Compiled with RACY it
 * has one race, at the lines marked "planted", which happens in every run whatever the schedule:
 *
 *   The two accesses are made by different threads, each before its thread acquires anything, or each
 *   after its thread has released for the last time, or both between the same two barriers. So no
 *   order can come about by accident, as it does when one thread happens to get a lock after another.
 */
#ifndef DEADHEAT_BENCH_KERNEL_H
#define DEADHEAT_BENCH_KERNEL_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KERNEL_THREADS = 256 }; /* at most */

static int threads;
static long size, rounds;

static inline void kernel_arguments(int argc, char **argv, long usual_rounds) {
    threads = argc > 1 ? atoi(argv[1]) : 0;
    size = argc > 2 ? atol(argv[2]) : 0;
    rounds = argc > 3 ? atol(argv[3]) : usual_rounds;
    if (argc <= 4 && threads >= 1 && threads <= KERNEL_THREADS && size >= 1 && rounds >= 1) return;
    fprintf(stderr, "usage: %s THREADS SIZE [ROUNDS]   (all positive, at most %d threads)\n",
            argv[0], KERNEL_THREADS);
    exit(2);
}

static inline void *kernel_memory(size_t bytes) {
    void *p = calloc(1, bytes ? bytes : 1);
    if (p) return p;
    fprintf(stderr, "not enough memory for %zu bytes\n", bytes);
    exit(2);
}

/* Runs work(0) ... work(threads - 1), each in a thread of its own, and waits for all. */
static inline void kernel_run(void *(*work)(void *)) {
    pthread_t all[KERNEL_THREADS];
    for (int t = 0; t < threads; t++)
        if (pthread_create(&all[t], NULL, work, (void *)(intptr_t)t) != 0) {
            fprintf(stderr, "cannot create thread %d\n", t);
            exit(2);
        }
    for (int t = 0; t < threads; t++)
        pthread_join(all[t], NULL);
}

/* The first of the items that fall to thread t; those of t + 1 follow. */
static inline long kernel_share(long items, int t) { return (long)((__int128)items * t / threads); }

/* Random numbers and a hash: splitmix64. */
static inline uint64_t kernel_mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}
static inline uint64_t kernel_random(uint64_t *state) {
    return kernel_mix(*state += 0x9e3779b97f4a7c15u);
}
static inline double kernel_real(uint64_t *state) { /* in [0, 1) */
    return (double)(kernel_random(state) >> 11) * 0x1p-53;
}

static inline int kernel_print(char const *name, uint64_t checksum) {
    printf("%s %d %ld %ld %016llx\n", name, threads, size, rounds, (unsigned long long)checksum);
    return 0;
}
static inline int kernel_print_real(char const *name, double checksum) {
    printf("%s %d %ld %ld %.9e\n", name, threads, size, rounds, checksum);
    return 0;
}

#endif
