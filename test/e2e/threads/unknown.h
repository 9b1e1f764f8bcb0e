/* A thread that is made behind the runtime's back: by libc's own pthread_create. */
#include "test.h"

#include <dlfcn.h>

static inline pthread_t spawn_unknown(void *(*routine)(void *)) {
    typedef int create(pthread_t *, pthread_attr_t const *, void *(*)(void *), void *);
    void *libc = dlopen("libc.so.6", RTLD_NOW);
    CHECK(libc);
    create *make = (create *)dlsym(libc, "pthread_create");
    CHECK(make && make != pthread_create);
    pthread_t thread;
    CHECK(make(&thread, NULL, routine, NULL) == 0);
    return thread;
}
