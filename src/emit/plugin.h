/* What the plugin does at each point of the compiler's pipeline. plugin.cpp registers these. Each
 * returns an error message or null. */
#ifndef DEADHEAT_EMIT_PLUGIN_H
#define DEADHEAT_EMIT_PLUGIN_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct plugin_options {
    char const *detector; /* whose placement of checks */
    bool cxx20;           /* release sequences as in C++20, not as in C */
    bool stats;           /* print the statistics of placement */
    bool audit;           /* have every access and every check recorded */
    bool outline;         /* checks stay calls; whoever links defines them (bench/count.py) */
    char const *explain;  /* a file to write what became of each access to; empty: none */
    bool put_off;         /* checks are placed when the program is linked: emit/link.h */
};

/* The IR is as the front end made it: names fields. */
char const *dh_plugin_start(LLVMModuleRef module, struct plugin_options const *options);
/* Loops are rotated and not yet vectorised: places checks, as calls. */
char const *dh_plugin_place(LLVMModuleRef module, struct plugin_options const *options);
/* Optimisation is over: makes the calls' fast paths inline. */
char const *dh_plugin_inline(LLVMModuleRef module, struct plugin_options const *options);
/* After clang's own sanitizers: constructors. */
char const *dh_plugin_finish(LLVMModuleRef module, struct plugin_options const *options);

/* In the linker, before it optimises the program and after that: the second and third of these, for
 * modules that were put off. */
char const *dh_plugin_link_place(LLVMModuleRef module, struct plugin_options const *options);
char const *dh_plugin_link_inline(LLVMModuleRef module, struct plugin_options const *options);

#ifdef __cplusplus
}
#endif
#endif
