/* deadheat.h: what a program may tell Deadheat about itself.
 *
 * Without deadheat (plain clang or gcc) everything here compiles to nothing. A program needs none
 * of it unless it synchronises in ways that Deadheat cannot see: inline assembly, shared memory
 * between processes, hardware. `__attribute__((no_sanitize("thread")))` on a function switches
 * checking off in it.
 */
#ifndef DEADHEAT_H
#define DEADHEAT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __DEADHEAT__

/* Home-made synchronisation: everything before a release of p is ordered before everything after a
 * later acquire of p, in whatever thread. p is any address that stands for the object. */
void deadheat_acquire(void const volatile *p);
void deadheat_release(void const volatile *p);

/* Accesses by the calling thread between these are neither recorded nor reported. They nest. */
void deadheat_ignore_begin(void);
void deadheat_ignore_end(void);

/* Accesses that Deadheat cannot see, made by code that was not built with it. */
void deadheat_read(void const volatile *p, size_t size);
void deadheat_write(void volatile *p, size_t size);

/* Races on these bytes are known and wanted: do not report them. The mark ends with the memory. */
void deadheat_benign_race(void const volatile *p, size_t size, char const *why);

/* How many different races have been reported so far. */
unsigned long deadheat_race_count(void);

/* Called, if the program defines it, after each report has been printed, in the thread that found
 * the race. json is the report as one line of JSON; it is only valid during the call. */
void deadheat_on_race(char const *json);

/* What the program brings along, if it defines these: options as in DEADHEAT_OPTIONS, which come
 * before those of the environment; suppressions as in a file of them, which come after the user's.
 * Called before any constructor: they may do no more than return a text. */
char const *deadheat_default_options(void);
char const *deadheat_default_suppressions(void);

#else

#define deadheat_acquire(p) ((void)(p))
#define deadheat_release(p) ((void)(p))
#define deadheat_ignore_begin() ((void)0)
#define deadheat_ignore_end() ((void)0)
#define deadheat_read(p, size) ((void)(p), (void)(size))
#define deadheat_write(p, size) ((void)(p), (void)(size))
#define deadheat_benign_race(p, size, why) ((void)(p), (void)(size), (void)(why))
#define deadheat_race_count() 0ul

#endif

#ifdef __cplusplus
}
#endif

#endif
