/* Several atomic writers, none ordered before another: a plain read is ordered after some of them only. The
 * one that it is not ordered after is neither the first nor the last. */
#include "test.h"

#include <stdatomic.h>

enum { WRITERS = 5, LEFT_OUT = 2 };

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
        if (i != LEFT_OUT) join(writers[i]);
    value = *(int volatile *)&word;
    join(writers[LEFT_OUT]);
    return 0;
}
