/* What a clang command line asks for, as far as wrapping it needs to know: whether it links, and
 * what; which of its wishes we cannot serve; which of its options are ours.
 */
#ifndef DEADHEAT_DRIVER_COMMAND_H
#define DEADHEAT_DRIVER_COMMAND_H

#include "util/strings.h"

#include <stdbool.h>
#include <stddef.h>

struct dh_arguments;

enum dh_output { DH_OUTPUT_EXECUTABLE, DH_OUTPUT_SHARED, DH_OUTPUT_RELOCATABLE };

/* Where a field names an option, it is the one in force (the last), and null means there is none.
 */
struct dh_command {
    bool query; /* only asks clang about itself: nothing is compiled, linked or refused */
    bool links; /* runs the linker */
    enum dh_output output;

    char const *sanitizer; /* another sanitizer, which cannot share a program with our runtime */
    char const *target;    /* a target that is not x86-64 Linux with glibc */
    char const *static_option; /* a link without the dynamic C library */

    bool unchecked;                 /* -fno-sanitize=thread: what is compiled gets no checks */
    struct dh_strings ignore_lists; /* of -fsanitize-ignorelist=: what not to check */

    bool cxx20;         /* C++ in which a later store by the same thread ends a release sequence */
    bool lto;           /* link-time optimisation */
    bool whole_program; /* of the whole program at once, by lld */
    bool linker_chosen; /* by -fuse-ld= or --ld-path= */
    bool defines_demanded; /* the linker is told to accept no undefined symbol (-z defs) */
    size_t options_end;    /* where the options end: index of "--", or the number of arguments */

    char const *detector; /* of --detector=NAME: NAME */
    bool shared_runtime;  /* -shared-libdeadheat */
    bool audit;           /* --audit */
    char const *notes;    /* where the plugin writes what became of each access; null: nowhere */
    char const *misspelt; /* an argument that looks like one of ours */
    char const *meant;    /* which one */
};

/* Marks our own options as removed, and "--" as opened, because link options may have to go before
 * it. */
struct dh_command dh_command_read(struct dh_arguments *arguments);

#endif
