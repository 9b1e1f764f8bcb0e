/* Four hundred thousand frames deep, in good order; and so with every frame's own access checked. */
#include "deep_recursion.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int x;

static void bottom(void) {
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
}

static void *run(void *unused) {
    deep(DEPTH, bottom);
    return unused;
}

int main(void) {
    pthread_t a = spawn_deep(run), b = spawn_deep(run);
    join(a);
    join(b);
    CHECK(x == 2);
    return 0;
}
