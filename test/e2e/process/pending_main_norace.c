/* The first thread ends before the others: who waits for it comes after all that it did. */
#include "test.h"

enum { SIZE = 1024 };
int swept[SIZE];
static pthread_t first;

static void sweep(void) {
    for (int i = 0; i < SIZE; i++)
        swept[i]++;
}

static void *other(void *unused) {
    step();
    join(first);
    swept[SIZE - 1]++;
    return unused;
}

int main(void) {
    steps(2);
    first = pthread_self();
    spawn(other, NULL);
    step();
    sweep();
    pthread_exit(NULL);
}
