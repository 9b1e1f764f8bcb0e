/* libc's own functions. */
#include "rt/intercept/intercept.h"
#include "rt/options.h"

#include <dlfcn.h>

/* Made by the linker. */
extern struct dh_real __start_dh_real[] __attribute__((visibility("hidden")));
extern struct dh_real __stop_dh_real[] __attribute__((visibility("hidden")));

/* The search starts behind the object that holds the runtime. */
static void *look_up(struct dh_real const *real) {
    return real->version ? dlvsym(RTLD_NEXT, real->name, real->version) : dlsym(RTLD_NEXT, real->name);
}

DH_COLD void *dh_real_find(struct dh_real *real) {
    void *f = look_up(real);
    if (!f) dh_die("%s is called, but no library of this process has it", real->name);
    __atomic_store_n(&real->function, f, __ATOMIC_RELAXED);
    return f;
}

/* All at once and early: dlsym takes the dynamic linker's lock, and a program may not be made to wait for
 * that in its memcpy. What is not there (C++ in a C program) is only missed when it is called. */
static void look_up_all(void) {
    for (struct dh_real *r = __start_dh_real; r < __stop_dh_real; r++)
        if (!r->function) __atomic_store_n(&r->function, look_up(r), __ATOMIC_RELAXED);
    dlerror(); /* our misses are not the program's */
}

__attribute__((constructor(101))) void dh_intercept_init(void) {
    static bool done;
    if (done) return;
    done = true;
    look_up_all();
    if (!dh_options.enabled) return;
    dh_thread_intercept_init();
    dh_fork_intercept_init();
}
