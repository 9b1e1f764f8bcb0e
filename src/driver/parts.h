/* Where the parts of an installed Deadheat are: beside the command itself, wherever that was put.
 *
 *   bin/deadheat                          this command
 *   include/deadheat.h                    the annotations
 *   lib/deadheat/libdeadheat-plugin.so    places the checks, inside clang
 *   lib/deadheat/libdeadheat.a            the runtime, for executables
 *   lib/deadheat/libdeadheat.syms         what an executable shows of it to shared libraries
 *   lib/deadheat/libdeadheat.so           the runtime, for -shared-libdeadheat
 *
 * Where the system puts libraries elsewhere (below /usr, Debian does), lib is that place. The build
 * directory has the same shape, so that build/bin/deadheat works in place.
 */
#ifndef DEADHEAT_DRIVER_PARTS_H
#define DEADHEAT_DRIVER_PARTS_H

enum dh_part {
    DH_PART_INCLUDE,   /* the directory of deadheat.h */
    DH_PART_LIBRARIES, /* the directory of the others */
    DH_PART_PLUGIN,
    DH_PART_RUNTIME,
    DH_PART_RUNTIME_SYMBOLS,
    DH_PART_SHARED_RUNTIME,
};

/* The part's absolute path; a missing part ends the tool with one line that names it. */
char const *dh_part(enum dh_part part);

/* The clang to run: $DEADHEAT_CLANG, or the one that the plugin was built for. */
char const *dh_clang(void);

#endif
