/* A clang command line with our plugin and runtime in it. */
#ifndef DEADHEAT_DRIVER_COMPILE_H
#define DEADHEAT_DRIVER_COMPILE_H

/* Becomes clang in the given mode, as `deadheat cc ARGUMENTS...` does. `notes`: the file that the
 * plugin is to write what became of each access to, or null. Returns only an exit status, on
 * failure. */
int dh_compile(char const *mode, char **arguments, char const *notes);

#endif
