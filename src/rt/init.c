/* The runtime's beginning and end. */
#include "rt/ending.h"
#include "rt/epochs.h"
#include "rt/history.h"
#include "rt/intercept/intercept.h"
#include "rt/libraries.h"
#include "rt/options.h"
#include "rt/shadow.h"
#include "rt/stats.h"
#include "rt/state.h"
#include "rt/tape.h"
#include "rt/unchecked.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

extern char **environ;
extern int __cxa_atexit(void (*f)(void *), void *arg, void *dso);

static char const *environment(char const *name, char **env) {
    size_t n = dh_length(name);
    for (; env && *env; env++)
        if (dh_compare(*env, name, n) == 0 && (*env)[n] == '=') return *env + n + 1;
    return 0;
}

extern int __tsan_on_finalize(int failed) __attribute__((weak));
extern void __tsan_on_initialize(void) __attribute__((weak));

/* Runs after all of the program's own exit handlers and destructors, because it was registered
 * before any of them. Only libc's own flushing of streams comes later: another status is given by
 * calling exit again, which goes on with that. (fflush would wait for a thread that is reading a
 * stream.) */
static void finish(void *unused) {
    (void)unused;
    dh_ending();
    dh_tape_stop();
    uint64_t races = dh_report_finish();
    if (dh_options.print_stats) dh_stats_print();
    bool failed = races > 0;
    if (__tsan_on_finalize) failed = __tsan_on_finalize(failed) != 0;
    if (failed && dh_options.exitcode != 0) exit((int)dh_options.exitcode);
}

#ifdef DH_SHARED
/* A plugin brought us into a program that has a runtime already, to which all are bound. */
static bool is_second(void) {
    return dlsym(RTLD_DEFAULT, "__dh_init_v3") != (void *)&__dh_init_v3
           && dlsym(RTLD_DEFAULT, "__dh_init_v3") != 0;
}

/* In a program that was not built with deadheat, calls go to libc past the runtime, unless it was
 * loaded before everything else. Without them nothing can be said about order. */
static bool comes_first(void) {
    void *own = (void *)&pthread_create;
    Dl_info library;
    if (dlsym(RTLD_DEFAULT, "pthread_create") == own) return true;
    bool known = dladdr(own, &library) != 0;
    dh_message(
        "the program itself was not built with deadheat, so what its threads do is not seen, "
        "and nothing is checked; run it with LD_PRELOAD=%s",
        known ? library.dli_fname : "libdeadheat.so");
    return false;
}
#endif

static void init(char **env) {
    static bool done;
    if (done) return;
    done = true;
#ifdef DH_SHARED
    if (is_second()) return;
#endif
    char const *options = environment("DEADHEAT_OPTIONS", env);
    dh_options_built_in();
    if (options) dh_options_parse(options);
#ifdef DH_SHARED
    if (dh_options.enabled && !comes_first()) dh_options.enabled = false;
#endif
    if (!dh_options.enabled) { /* compiled code looks at the map all the same */
        dh_unchecked_init();
        __dh_tls.epoch = __dh_tls.readset = 0; /* as in all threads (dh_stranger_is_alone) */
        return;
    }
    dh_shadow_init();
    dh_epochs_init();
    dh_thread_init_main();
    dh_history_attach(__dh_tls.self);
    dh_intercept_init();
    dh_report_prepare();
    dh_tape_init();
    __cxa_atexit(finish, 0, 0);
    at_quick_exit(dh_exit_quickly); /* before the program's own: it runs last */
    if (__tsan_on_initialize) __tsan_on_initialize();
}

__attribute__((visibility("default"))) void __dh_init_v3(void) {
    init(environ);
    if (!dh_alone_now) dh_library_starts((uintptr_t)__builtin_return_address(0));
}

static void preinit(int argc, char **argv, char **env) {
    (void)argc;
    (void)argv;
    init(env);
}

/* Before any constructor of any library, where the runtime is part of the executable. */
#ifndef DH_SHARED
__attribute__((section(".preinit_array"), used)) static void (*first)(int, char **,
                                                                      char **) = preinit;
#else
__attribute__((constructor(0))) static void first(int argc, char **argv, char **env) {
    preinit(argc, argv, env);
}
#endif
