/* The last owner frees without having acquired what the others released. */
#include "test.h"

#include <stdatomic.h>

static struct object {
    atomic_int owners;
    int data;
} *object;

static void drop(struct object *o) {
    if (atomic_fetch_sub_explicit(&o->owners, 1, memory_order_release) == 1) free(o);
}

static void *first(void *unused) {
    object->data = 1;
    drop(object);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    drop(object);
    return unused;
}

int main(void) {
    object = calloc(1, sizeof *object);
    atomic_init(&object->owners, 2);
    run_two(first, second);
    return 0;
}
