/* dlopen and dlclose, and the end of a library that is unloaded.
 *
 * libc does both under one recursive lock, constructors and destructors included, and counts under
 * it how often a library is open. That is order which programs rely on: whoever finds a library
 * open may use what its constructor made, and whoever closes it last may destroy what the others
 * left. For our part to agree with the real one, it is done under that same lock. libc does not
 * lend it, but dlsym takes it too, and calls the resolver of an indirect function while it holds
 * it: so that is where our work is done.
 *
 * What is ordered is less than what the lock orders, which would hide races between threads that
 * have nothing but their use of dlopen in common: a thread that opens a library comes after the
 * constructors and destructors that have run, a thread that closes one also after those who have
 * closed one before. */
#include "rt/intercept/intercept.h"
#include "rt/libraries.h"
#include "rt/options.h"

#include <dlfcn.h>

/* ---- under the loader's lock ---- */

struct work {
    void (*function)(void *argument);
    void *argument;
};

static _Thread_local struct work work; /* function is null: nothing to do, or it is done */

static void nothing(void) {}

__attribute__((used)) static void (*work_locked(void))(void) {
    struct work w = work;
    work.function = 0;
    if (w.function) w.function(w.argument);
    return nothing;
}

__attribute__((visibility("default"), ifunc("work_locked"))) void __dh_loader_locked(void);

/* Forgets the error that dlerror would tell, whatever the function does. If the program was linked
 * so that dlsym does not find ours, it is done without the lock. */
static void with_loader_lock(void (*function)(void *), void *argument) {
    work = (struct work){function, argument};
    dlsym(RTLD_DEFAULT, "__dh_loader_locked");
    if (work.function) work_locked();
}

static char ran;    /* released by who has run constructors or destructors */
static char closed; /* released by who has closed a library */

/* ---- dlopen ---- */

/* Where libc looks for a name without a slash, or with `$ORIGIN` in it, depends on the object that
 * the call of dlopen returns to. */
static bool depends_on_caller(char const *file) {
    bool slash = false;
    for (char const *c = file; c && *c; c++) {
        if (*c == '$') return true;
        slash |= *c == '/';
    }
    return file && *file && !slash;
}

/* An instruction that returns, in the object that `pc` is in; 0 if that is our own, which looks the
 * same to libc, or if there is none. Any such byte will do, even inside another instruction. */
static uintptr_t return_near(uintptr_t pc) {
    enum { RET = 0xc3 };
    struct dh_code code = dh_code_around(pc);
    uintptr_t own = (uintptr_t)&return_near;
    if (code.low <= own && own < code.high) return 0;
    for (uintptr_t a = pc; a < code.high; a++)
        if (*(unsigned char const *)a == RET) return a;
    return 0;
}

/* real(file, mode), which returns by way of `through`. Who walks the stack by its unwind tables
 * meanwhile loses the way there; frame pointers are right. */
__attribute__((naked)) static void *open_through(uintptr_t through __attribute__((unused)),
                                                 char const *file __attribute__((unused)),
                                                 int mode __attribute__((unused)),
                                                 void *real __attribute__((unused))) {
    __asm__("push %rbp\n\t"
            "mov %rsp, %rbp\n\t"
            "sub $8, %rsp\n\t"
            "lea 1f(%rip), %rax\n\t"
            "push %rax\n\t"
            "push %rdi\n\t"
            "mov %rsi, %rdi\n\t"
            "mov %edx, %esi\n\t"
            "jmp *%rcx\n"
            "1:\n\t"
            "leave\n\t"
            "ret");
}

struct opening {
    char const *file;
    int mode;
    uintptr_t through; /* 0: directly */
    void *(*real)(char const *, int);
    void *handle;
};

static void open_locked(void *argument) {
    struct opening *o = argument;
    dh_acquire(&ran);
    uint64_t before = dh_libraries_loaded();
    o->handle = o->through ? open_through(o->through, o->file, o->mode, (void *)o->real)
                           : o->real(o->file, o->mode);
    if (dh_libraries_loaded() != before) dh_release_join(&ran);
}

/* What fails is called again, from where the program did: dlerror has to tell why. */
INTERCEPT(void *, dlopen, (char const *file, int mode)) {
    if (dh_options.enabled) {
        struct dh_here here = DH_HERE;
        struct opening o = {file, mode, 0, REAL(dlopen), 0};
        if (file && dh_checking()) dh_range_read(file, dh_length(file) + 1, here);
        if (depends_on_caller(file)) o.through = return_near(here.pc);
        with_loader_lock(open_locked, &o);
        if (o.handle) return o.handle;
    }
    __attribute__((musttail)) return REAL(dlopen)(file, mode);
}

/* In the namespace of the program, and so of the caller, the same as dlopen. Others have a libc of
 * their own, whose calls are not seen. */
INTERCEPT(void *, dlmopen, (Lmid_t space, char const *file, int mode)) {
    if (dh_options.enabled) {
        struct dh_here here = DH_HERE;
        if (file && dh_checking()) dh_range_read(file, dh_length(file) + 1, here);
        if (space == LM_ID_BASE) {
            struct opening o = {file, mode, 0, REAL(dlopen), 0};
            if (depends_on_caller(file)) o.through = return_near(here.pc);
            with_loader_lock(open_locked, &o);
            if (o.handle) return o.handle;
        }
    }
    __attribute__((musttail)) return REAL(dlmopen)(space, file, mode);
}

/* ---- dlclose ---- */

struct closing {
    void *handle;
    struct dh_here here;
    int (*real)(void *);
    int failed;
};

/* The call that the running thread is in; null: none. */
static _Thread_local struct closing *current;

static void close_locked(void *argument) {
    struct closing *c = argument, *outer = current;
    struct dh_arena arena = {0};
    dh_acquire(&ran);
    dh_acquire(&closed);
    struct dh_loaded *before = dh_libraries_note(&arena);
    current = c;
    c->failed = c->real(c->handle);
    current = outer;
    if (!c->failed) {
        dh_release_join(&closed);
        if (dh_libraries_gone(before)) dh_release_join(&ran);
    }
    dh_arena_free(&arena);
}

INTERCEPT(int, dlclose, (void *handle)) {
    if (!dh_options.enabled) return REAL(dlclose)(handle);
    struct closing c = {handle, DH_HERE, REAL(dlclose), 0};
    with_loader_lock(close_locked, &c);
    return c.failed ? REAL(dlclose)(handle) : 0; /* again, for dlerror */
}

/* The last that a library does before it is unmapped, after all of its destructors: the compiler's
 * start files call this with an address in its data. */
INTERCEPT(void, __cxa_finalize, (void *object)) {
    REAL(__cxa_finalize)(object);
    if (current && object) dh_library_ends((uintptr_t)object, current->here);
}
