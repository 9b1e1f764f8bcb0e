/* The memory that the arguments of printf and scanf name. Both follow a format as far as it is
 * understood: a conversion that libc may know and we do not ends the walk, and what comes after
 * goes unchecked. So does an argument that a format with numbers (%2$s) does not name. */
#ifndef DEADHEAT_RT_INTERCEPT_FORMATS_H
#define DEADHEAT_RT_INTERCEPT_FORMATS_H

#include "rt/access.h"

#include <stdarg.h>
#include <wchar.h>

/* Before the call: strings are read, and %n writes. */
void dh_printf_accesses(char const *format, va_list list, struct dh_here here);
/* After the call, which returned `count`: so many conversions were stored. */
void dh_scanf_accesses(char const *format, va_list list, int count, struct dh_here here);

/* The same for a format of wide characters, which means the same; a very long one is followed only
 * so far. */
void dh_wprintf_accesses(wchar_t const *format, va_list list, struct dh_here here);
void dh_wscanf_accesses(wchar_t const *format, va_list list, int count, struct dh_here here);

#endif
