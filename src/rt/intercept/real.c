/* libc's own functions. */
#include "rt/intercept/exports.h"
#include "rt/intercept/intercept.h"
#include "rt/options.h"

#include <dlfcn.h>
#include <link.h>

/* Made by the linker. */
extern struct dh_real __start_dh_real[] __attribute__((visibility("hidden")));
extern struct dh_real __stop_dh_real[] __attribute__((visibility("hidden")));

/* The search starts behind the object that holds the runtime. */
static void *look_up(struct dh_real const *real) {
    return real->version ? dlvsym(RTLD_NEXT, real->name, real->version)
                         : dlsym(RTLD_NEXT, real->name);
}

DH_COLD void *dh_real_find(struct dh_real *real) {
    void *f = look_up(real);
    if (!f) dh_die("%s is called, but no library of this process has it", real->name);
    __atomic_store_n(&real->function, f, __ATOMIC_RELAXED);
    return f;
}

/* All at once and early: dlsym takes the dynamic linker's lock, and a program may not be made to
 * wait for that in its memcpy. What is not there (C++ in a C program) is only missed when it is
 * called. */
static void look_up_all(void) {
    bool searched = dh_exports_begin();
    for (struct dh_real *r = __start_dh_real; r < __stop_dh_real; r++) {
        void *f;
        if (r->function) continue;
        if (!searched || r->version || !dh_exports_find(r->name, &f)) f = look_up(r);
        __atomic_store_n(&r->function, f, __ATOMIC_RELAXED);
    }
    dlerror(); /* our misses are not the program's */
}

/* ---- where libc is ---- */

enum { LIBC, LOADER, OBJECTS };
static struct { uintptr_t low, high; } code[OBJECTS];

static bool is_in(int object, uintptr_t pc) {
    return pc - code[object].low < code[object].high - code[object].low;
}

bool dh_is_loader(uintptr_t pc) { return is_in(LOADER, pc); }

bool dh_is_libc(uintptr_t pc) { return is_in(LIBC, pc) || is_in(LOADER, pc); }

/* The code of the object that one of the two functions is in. */
static int note_code(struct dl_phdr_info *object, size_t size, void *functions) {
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        ElfW(Phdr) const *part = &object->dlpi_phdr[i];
        uintptr_t low = object->dlpi_addr + part->p_vaddr, high = low + part->p_memsz;
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        for (int f = 0; f < OBJECTS; f++) {
            uintptr_t function = ((uintptr_t const *)functions)[f];
            if (function < low || function >= high) continue;
            code[f].low = low;
            code[f].high = high;
        }
    }
    return 0;
}

static void find_code(void) {
    uintptr_t functions[OBJECTS] = {[LIBC] = (uintptr_t)dlsym(RTLD_NEXT, "__libc_malloc"),
                                    [LOADER] = (uintptr_t)dlsym(RTLD_NEXT, "__tls_get_addr")};
    dl_iterate_phdr(note_code, functions);
}

void dh_intercept_init(void) {
    static bool done;
    if (done) return;
    done = true;
    look_up_all();
    if (!dh_options.enabled) return;
    find_code();
    dh_keys_init();
    dh_fork_intercept_init();
}
