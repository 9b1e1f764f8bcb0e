/* Objects with a count of owners, freed by the last: everybody's use comes before the free, by acquire and
 * release in one operation, or by a release and a fence. The count itself is in the memory that is freed. */
#include "test.h"

#include <stdatomic.h>

enum { OWNERS = 4, OBJECTS = 3000 };

struct object {
    atomic_int owners;
    int data[OWNERS];
};
static struct object *objects[OBJECTS];

static void drop(struct object *o, int i) {
    if (i % 2) {
        if (atomic_fetch_sub_explicit(&o->owners, 1, memory_order_acq_rel) != 1) return;
    } else {
        if (atomic_fetch_sub_explicit(&o->owners, 1, memory_order_release) != 1) return;
        atomic_thread_fence(memory_order_acquire);
    }
    for (int j = 0; j < OWNERS; j++)
        CHECK(o->data[j] == 1);
    free(o);
}

static void *owner(void *number) {
    step();
    for (int i = 0; i < OBJECTS; i++) {
        objects[i]->data[(long)number] = 1;
        drop(objects[i], i);
    }
    return NULL;
}

int main(void) {
    pthread_t owners[OWNERS];
    for (int i = 0; i < OBJECTS; i++) {
        objects[i] = calloc(1, sizeof *objects[i]);
        atomic_init(&objects[i]->owners, OWNERS);
    }
    steps(OWNERS);
    for (long i = 0; i < OWNERS; i++)
        owners[i] = spawn(owner, (void *)i);
    for (int i = 0; i < OWNERS; i++)
        join(owners[i]);
    return 0;
}
