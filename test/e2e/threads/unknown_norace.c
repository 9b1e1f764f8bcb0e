/* The same with a lock. */
#include "test.h"

#include <dlfcn.h>

int shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *write_it(void *unused) {
    pthread_mutex_lock(&lock);
    shared++;
    pthread_mutex_unlock(&lock);
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
    shared = 1;
    pthread_t thread;
    CHECK(make(&thread, NULL, write_it, NULL) == 0);
    step();
    pthread_mutex_lock(&lock);
    shared++;
    pthread_mutex_unlock(&lock);
    join(thread);
    return 0;
}
