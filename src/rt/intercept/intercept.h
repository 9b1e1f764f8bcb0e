/* How an interceptor is written:
 *
 *     INTERCEPT(int, pthread_mutex_unlock, (pthread_mutex_t *mutex)) {
 *         dh_lock_releasing(mutex);
 *         return REAL(pthread_mutex_unlock)(mutex);
 *     }
 *
 * INTERCEPT defines the function under its libc name, visible to the whole process, and REAL(name)
 * is libc's own. All of them are looked up when the process starts, or on first use if that is
 * earlier; where libc has several versions of a symbol, INTERCEPT_VERSION names the one that
 * programs are linked against today.
 *
 * The names are the program's to use: what it defines itself, a function or a variable, takes the
 * place of ours. So they are weak.
 *
 * Nothing here may change errno, and nothing may be called from inside a critical section.
 */
#ifndef DEADHEAT_RT_INTERCEPT_H
#define DEADHEAT_RT_INTERCEPT_H

#include "rt/access.h"
#include "rt/state.h"
#include "rt/sync.h"
#include "rt/thread.h"

#include <signal.h>

/* One function of libc. The linker makes an array of them, the section dh_real; the alignment is
 * the size, so that it has no gaps. */
struct dh_real {
    char const *name;
    char const *version; /* null: the default one */
    void *function;      /* null: not looked up yet, or libc has none */
} __attribute__((aligned(32)));

/* Looks it up. Stops the process with a message if there is no such function. Safe before libc is
 * ready, and from several threads at once. */
void *dh_real_find(struct dh_real *real);

static inline void *dh_real_get(struct dh_real *real) {
    void *f = __atomic_load_n(&real->function, __ATOMIC_RELAXED);
    return DH_LIKELY(f != 0) ? f : dh_real_find(real);
}

#define INTERCEPT_VERSION(type, name, version, parameters)                                         \
    typedef __typeof__(type(*) parameters) dh_type_##name;                                         \
    __attribute__((section("dh_real"), used)) static struct dh_real dh_real_##name = {#name,       \
                                                                                      version, 0}; \
    __attribute__((visibility("default"), weak))                                                   \
    type dh_intercept_##name parameters __asm__(#name);                                            \
    type dh_intercept_##name parameters

#define INTERCEPT(type, name, parameters) INTERCEPT_VERSION(type, name, 0, parameters)
#define REAL(name) ((dh_type_##name)dh_real_get(&dh_real_##name))

/* Looks up everything, and prepares what the families below need. Before any constructor: fork's
 * handlers must be registered before the program's. May be called again. */
void dh_intercept_init(void);
void dh_keys_init(void);
void dh_fork_intercept_init(void);

/* The process ends without its exit handlers. */
void dh_exit_quickly(void);
/* From here on also the signals end it whose default is to (rt/ending.h). */
void dh_signals_watch_ends(void);
/* For a handler: true if it came inside a critical section, and will be called again at its end. */
bool dh_signal_put_off(siginfo_t const *info, void *context);

/* Is this code of libc itself, or of the dynamic linker? What they do among themselves, under locks
 * that nobody sees, is not the program's doing. */
bool dh_is_libc(uintptr_t pc);
bool dh_is_loader(uintptr_t pc); /* of the dynamic linker */

/* Are accesses recorded now? Inside a critical section the runtime itself is at work. */
static inline bool dh_checking(void) {
    return DH_UNLIKELY(!dh_alone_now) && __dh_critical.depth == 0;
}

/* Will libc refuse to unlock this mutex, because the running thread does not hold it? */
bool dh_mutex_refuses(void const *mutex);
/* The running thread ends: robust mutexes that it still holds go to whoever locks them next. */
void dh_mutex_abandon_all(void);

/* Has the running thread's end noticed, which is when dh_thread_finished is called: for a thread
 * that was not made through pthread_create or thrd_create (dh_thread_adopt). */
void dh_thread_watch_end(void);
void dh_thread_ends(void); /* the program has nothing more to do on it */

/* The running thread was made by libc for itself, and is this one (dh_thread_create): before any of
 * the program's code. */
void dh_thread_begin_in_libc(struct dh_thread *child, bool stack_given);
/* Do the attributes, of pthread_attr_t, name a stack of the program's? Null: none do. */
union pthread_attr_t;
bool dh_thread_stack_given(union pthread_attr_t const *attributes);

/* malloc, as called at `here`; the program's, if it has its own. */
void *dh_malloc_at(size_t size, struct dh_here here);

#endif
