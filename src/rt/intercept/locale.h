/* Locales. The one that all threads share is changed by setlocale, and libc does not protect who
 * uses it meanwhile; a thread may have one of its own (uselocale), and then does not look at the
 * other. */
#ifndef DEADHEAT_RT_INTERCEPT_LOCALE_H
#define DEADHEAT_RT_INTERCEPT_LOCALE_H

#include "rt/intercept/blocks.h"
#include "rt/intercept/table.h"

#include <locale.h>

/* The running thread goes by the rules of its locale. */
void dh_locale_used(struct dh_here here);
#define USES_LOCALE dh_locale_used(here);

/* A locale of the program's. Some are libc's own, and never change or go. */
#define USES_THIS_LOCALE(l) \
    if (dh_block_is(l)) dh_range_read(l, 1, here);
#define ENDS_THIS_LOCALE(l) \
    if (dh_block_is(l)) dh_range_write(l, 1, here);

#endif
