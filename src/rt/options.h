/* The user's options (options.def), read from DEADHEAT_OPTIONS before anything else happens. */
#ifndef DEADHEAT_RT_OPTIONS_H
#define DEADHEAT_RT_OPTIONS_H

#include "rt/base.h"

#include <stdbool.h>

struct dh_options {
#define DH_OPTION_TYPE_INT int
#define DH_OPTION_TYPE_BOOL bool
#define DH_OPTION_TYPE_TEXT char const *
#define DH_OPTION(name, kind, initial, help) DH_OPTION_TYPE_##kind name;
#include "rt/options.def"
#undef DH_OPTION
};

extern DH_HIDDEN struct dh_options dh_options;

/* Reads `text`; stops the process with a message on an unknown name or a bad value. */
void dh_options_parse(char const *text);
/* The same for what the program brings along: deadheat_default_options (include/deadheat.h), and,
 * of __tsan_default_options, what means something here. */
void dh_options_built_in(void);
void dh_options_help(void);

#endif
