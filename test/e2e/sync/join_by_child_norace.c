/* A thread may be joined by one that got its handle from somewhere else, even the main thread. */
#include "test.h"

#include <string.h>
#include <unistd.h>

static pthread_t first, main_thread;
int x, from_main;

static void *one(void *unused) {
    x = 1;
    return unused;
}

static void *two(void *unused) {
    join(first);
    x = 2;
    join(main_thread);
    from_main++;
    CHECK(x == 2 && from_main == 2);
    exit(0);
    return unused;
}

int main(void) {
    main_thread = pthread_self();
    first = spawn(one, NULL);
    spawn(two, NULL);
    from_main = 1;
    pthread_exit(NULL);
}
