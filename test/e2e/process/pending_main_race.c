/* The first thread ends before the others: what it did last is looked at, before who waits for it goes on. */
#include "test.h"

enum { SIZE = 1024 };
int swept[SIZE];
static pthread_t first;

static void sweep(void) {
    for (int i = 0; i < SIZE; i++)
        swept[i]++;
}

static void *other(void *unused) {
    swept[SIZE - 1]++; /* checks of the first elements are not put off */
    step();
    join(first);
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
