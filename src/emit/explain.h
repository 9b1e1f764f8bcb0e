/* The placement of a function, for people to read: driver/explain.c shows it. */
#ifndef DEADHEAT_EMIT_EXPLAIN_H
#define DEADHEAT_EMIT_EXPLAIN_H

#include <llvm-c/Core.h>
#include <stdio.h>

struct ir_accesses;
struct placement;
struct place_summaries;

void dh_emit_explain_begin(FILE *out);

/* To be called before checks are written, which changes the function. */
void dh_emit_explain(FILE *out, LLVMValueRef function, struct ir_accesses const *accesses,
                     struct placement const *placement, struct place_summaries const *summaries);

#endif
