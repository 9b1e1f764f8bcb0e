/* dlclose. dlopen is left alone: where libc looks for a library depends on who calls, and a library
 * built with deadheat tells us by itself when it starts (rt/libraries.h). */
#include "rt/intercept/intercept.h"
#include "rt/libraries.h"
#include "rt/options.h"

#include <dlfcn.h>

INTERCEPT(int, dlclose, (void *handle)) {
    if (!dh_options.enabled) return REAL(dlclose)(handle);
    struct dh_arena arena = {0};
    struct dh_loaded *before = dh_libraries_note(&arena);
    int failed = REAL(dlclose)(handle);
    if (!failed) dh_libraries_gone(before, DH_HERE);
    dh_arena_free(&arena);
    return failed;
}
