/* munmap by a thread that is ordered after all uses; and the next mapping at that address is another. */
#include "test.h"

#include <sys/mman.h>

enum { SIZE = 300000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char volatile *p;

static void *first(void *unused) {
    for (int i = 0; i < SIZE; i += 4096)
        p[i] = 1;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    step();
    step();
    /* Nothing orders this after the munmap but that the address is free. */
    char volatile *q = mmap((void *)p, SIZE, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    CHECK(q == p);
    for (int i = 0; i < SIZE; i += 4096)
        q[i] = 1;
    return unused;
}

static void *second(void *unused) {
    step();
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    CHECK(munmap((void *)p, SIZE) == 0);
    step();
    return unused;
}

int main(void) {
    p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(p != MAP_FAILED);
    run_two(first, second);
    return 0;
}
