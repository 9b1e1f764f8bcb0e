/* Memory whose contents were thrown away has no past. In a mapping that is not the process's alone nothing is
 * lost by that, and nobody is disturbed. Other advice is none of our business. */
// FLAGS: -D_GNU_SOURCE
#include "test.h"

#include <sys/mman.h>

enum { SIZE = 300000 };
static char volatile *own, *shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void fill(char volatile *p) {
    for (int i = 0; i < SIZE; i += 1000)
        p[i]++;
}

static char *map(int flags) {
    char *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
    CHECK(p != MAP_FAILED);
    return p;
}

static void *first(void *unused) {
    fill(own);
    pthread_mutex_lock(&mutex);
    CHECK(madvise((void *)own, SIZE, MADV_DONTNEED) == 0);
    pthread_mutex_unlock(&mutex);
    fill(shared);
    step();
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    fill(own);
    CHECK(own[0] == 1);
    CHECK(madvise((void *)shared, SIZE, MADV_DONTNEED) == 0);
    CHECK(madvise((void *)shared, SIZE, MADV_WILLNEED) == 0);
    step();
    return unused;
}

int main(void) {
    own = map(MAP_PRIVATE);
    shared = map(MAP_SHARED);
    run_two(first, second);
    return 0;
}
