/* A thread that was made behind the runtime's back, and is the first beside main: from its first access on both are
 * checked.
 * EXPECT: ^  Write of size 4 at .* by main thread:$
 */
#include "test.h"

#include <dlfcn.h>

int shared;

static void *write_it(void *unused) {
    shared = 1;
    step();
    return unused;
}

int main(void) {
    steps(2);
    void *libc = dlopen("libc.so.6", RTLD_NOW);
    CHECK(libc);
    int (*make)(pthread_t *, pthread_attr_t const *, void *(*)(void *), void *) =
        (int (*)(pthread_t *, pthread_attr_t const *, void *(*)(void *), void *))dlsym(libc, "pthread_create");
    CHECK(make && make != pthread_create);
    pthread_t thread;
    CHECK(make(&thread, NULL, write_it, NULL) == 0);
    step();
    shared = 2;
    join(thread);
    return 0;
}
