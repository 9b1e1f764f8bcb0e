/* Checks that are placed when a program is linked, so that all of it is seen (-flto).
 *
 * A module that is put off carries in each function how it is to be checked, an attribute, and asks
 * for a symbol that nobody defines: who links it without our plugin is told by that name. The
 * plugin finds the attributes in the linker, and takes the request away.
 */
#ifndef DEADHEAT_EMIT_LINK_H
#define DEADHEAT_EMIT_LINK_H

#include <llvm-c/Core.h>
#include <stdbool.h>

struct plugin_options;

/* When the module is compiled. */
void dh_link_put_off(LLVMModuleRef module, struct plugin_options const *options);

/* In the linker. The options that a function was compiled with; false: it was not put off. The
 * detector's name is a string of the context's. */
bool dh_link_options(LLVMValueRef function, struct plugin_options *options);
void dh_link_take_up(LLVMModuleRef module);

#endif
