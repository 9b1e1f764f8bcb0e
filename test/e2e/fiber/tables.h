/* Fibers of one thread that gather from the same array, one after the other and without order: what one has read the
 * other has not (rt/gathers.h). Then a third writes. */
#ifndef DEADHEAT_TEST_FIBER_TABLES_H
#define DEADHEAT_TEST_FIBER_TABLES_H

#include "access/gathers.h"
#include "fiber/fibers.h"

long array[CELLS];
static long order;
static struct fiber home, first, second, writer;

GATHER(gather_first, where)
GATHER(gather_second, where)

static void go(struct fiber *from, struct fiber *to) { fiber_switch(from, to, __tsan_switch_to_fiber_no_sync); }

/* The writer comes behind the first fiber's reads. */
static void run_first(void) {
    gather_first(array);
    go(&first, &second);
    __tsan_release(&order);
    go(&first, &writer);
    abort();
}

static void run_writer(void) {
    __tsan_acquire(&order);
    array[RACED] = 1;
    go(&writer, &home);
    abort();
}

static inline void run_fibers(void (*run_second)(void)) {
    prepare();
    fiber_adopt(&home);
    fiber_make(&first, run_first);
    fiber_make(&second, run_second);
    fiber_make(&writer, run_writer);
    fiber_switch(&home, &first, 0);
}

#endif
