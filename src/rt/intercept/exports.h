/* What the libraries of the process export, found without dlsym: a thousand names are looked up
 * when a process starts, each of which costs dlsym a lock, a place to jump back to on errors, and
 * for what is not there a message. */
#ifndef DEADHEAT_RT_INTERCEPT_EXPORTS_H
#define DEADHEAT_RT_INTERCEPT_EXPORTS_H

#include <stdbool.h>

/* The objects behind the first, if that is the one with the runtime. False: that is another, or one
 * of them cannot be searched, and dlsym is to be asked. While no library comes or goes: before the
 * program runs, or under the loader's lock. */
bool dh_exports_begin(void);
/* What dlsym(RTLD_NEXT, name) would find. False: it is to be asked. */
bool dh_exports_find(char const *name, void **function);

#endif
