/* The trace that a recorded run of bench/kernels/sor.c is, event for event but for addresses of the
 * allocator: for where no program can be recorded.
 *
 * Usage: sor_trace ITERATIONS SIZE > FILE
 */
#include "trace/trace.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 2 };
#define ROWS UINT64_C(0x7f5500001000)
#define POINTERS UINT64_C(0x555500002000)

static struct dh_trace_writer *writer;
static uint64_t size = 1000;

static void put(uint32_t thread, enum dh_op op, uint64_t address, uint64_t bytes, uint32_t site) {
    struct dh_trace_event e = {
        .op = (uint8_t)op, .thread = thread, .address = address, .size = bytes, .site = site};
    if (dh_trace_put(writer, &e) != 0) {
        fprintf(stderr, "sor_trace: cannot write\n");
        exit(2);
    }
}

static uint64_t row(uint64_t i) { return ROWS + i * ((size * 8 + 31) & ~15ull); }

static void sweep(uint32_t thread, uint64_t from, uint64_t to, uint64_t colour) {
    for (uint64_t i = from + (from + colour) % 2; i < to; i += 2) {
        for (uint64_t k = 0; k < 3; k++)
            put(thread, DH_OP_READ, POINTERS + (i - 1 + k) * 8, 8, 1 + (uint32_t)k);
        for (uint64_t j = 1; j < size - 1; j++) {
            put(thread, DH_OP_READ, row(i - 1) + 8 * j, 8, 4);
            put(thread, DH_OP_READ, row(i + 1) + 8 * j, 8, 5);
            put(thread, DH_OP_READ, row(i) + 8 * (j - 1), 8, 6);
            put(thread, DH_OP_READ, row(i) + 8 * (j + 1), 8, 7);
            put(thread, DH_OP_READ, row(i) + 8 * j, 8, 8);
            put(thread, DH_OP_WRITE, row(i) + 8 * j, 8, 9);
        }
    }
}

int main(int argc, char **argv) {
    uint64_t iterations = argc > 1 ? strtoull(argv[1], NULL, 10) : 5, round = 0;
    if (argc > 2) size = strtoull(argv[2], NULL, 10);
    writer = dh_trace_create(stdout, DH_TRACE_BINARY);
    if (!writer || size < 3) return 2;
    put(0, DH_OP_ALLOC, POINTERS, size * 8, 10);
    for (uint64_t i = 0; i < size; i++) {
        put(0, DH_OP_ALLOC, row(i), size * 8, 11);
        put(0, DH_OP_WRITE, POINTERS + 8 * i, 8, 12);
        for (uint64_t j = 0; j < size; j++)
            put(0, DH_OP_WRITE, row(i) + 8 * j, 8, 13);
    }
    for (uint32_t t = 1; t <= THREADS; t++)
        put(0, DH_OP_FORK, t, 0, 14);
    for (uint64_t n = 0; n < 2 * iterations; n++, round++) {
        for (uint32_t t = 1; t <= THREADS; t++) {
            uint64_t band = (size - 2) / THREADS, from = 1 + (t - 1) * band;
            sweep(t, from, t == THREADS ? size - 1 : from + band, n % 2);
            put(t, DH_OP_ARRIVE, round, 0, 15);
        }
        for (uint32_t t = 1; t <= THREADS; t++)
            put(t, DH_OP_DEPART, round, 0, 15);
    }
    for (uint32_t t = 1; t <= THREADS; t++) {
        put(t, DH_OP_EXIT, 0, 0, 16);
        put(0, DH_OP_JOIN, t, 0, 17);
    }
    for (uint64_t i = 0; i < size; i++)
        for (uint64_t j = 0; j < size; j++)
            put(0, DH_OP_READ, row(i) + 8 * j, 8, 18);
    return dh_trace_finish(writer) ? 2 : 0;
}
