/* Several atomic writers, none ordered before another, and a plain read ordered after all. */
#include "test.h"

#include <stdatomic.h>

enum { WRITERS = 5 };

static atomic_int word;
int value;

static void *writer(void *argument) {
    for (long turn = 0; turn < WRITERS; turn++) {
        if (turn == (long)argument) atomic_store_explicit(&word, (int)turn, memory_order_relaxed);
        step();
    }
    return NULL;
}

int main(void) {
    pthread_t writers[WRITERS];
    steps(WRITERS);
    for (long i = 0; i < WRITERS; i++)
        writers[i] = spawn(writer, (void *)i);
    for (int i = 0; i < WRITERS; i++)
        join(writers[i]);
    value = *(int volatile *)&word;
    return 0;
}
