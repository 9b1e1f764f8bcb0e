/* C++'s operator new. libstdc++'s calls malloc, and that would be enough, if it kept a frame
 * pointer: as it does not, the stack of every allocation would lack the very function that says
 * `new`. So the two that everything uses are here; the others (nothrow, aligned) and operator
 * delete are libstdc++'s.
 *
 * Weak: a program may define its own. If it defines only the one, the array form must call it, as
 * the language has it.
 */
#include "rt/intercept/intercept.h"

extern void *_Znwm(size_t size);
extern void _ZSt17__throw_bad_allocv(void) __attribute__((weak));

/* libstdc++'s own tries again, asks the program's new-handler, throws. Where it is not to be found,
 * being linked statically and left out because we are here, there is only the throwing. */
__attribute__((section("dh_real"), used)) static struct dh_real real = {"_Znwm", 0, 0};

DH_COLD static void *no_memory(size_t size) {
    if (!real.function && _ZSt17__throw_bad_allocv) _ZSt17__throw_bad_allocv();
    return ((void *(*)(size_t))dh_real_get(&real))(size);
}

static void *allocate(size_t size, struct dh_here here) {
    void *p = dh_malloc_at(size ? size : 1, here);
    return DH_LIKELY(p != 0) ? p : no_memory(size);
}

static void *own_new(size_t size) { return allocate(size, DH_HERE); }

__attribute__((visibility("default"), weak, alias("own_new"))) void *_Znwm(size_t size);

__attribute__((visibility("default"), weak)) void *_Znam(size_t size) {
    return _Znwm == own_new ? allocate(size, DH_HERE) : _Znwm(size);
}
