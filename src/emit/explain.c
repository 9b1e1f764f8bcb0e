/* What became of each access, for `deadheat explain`. A line each, its fields separated by tabs,
 * the first line alone:
 *
 *   deadheat-explain
 *   function  name, file, line
 *   call      file, line, column (of one of the calls by which others checked)
 *   check     number, file, line, column (of where it is made), form, kind, bytes, stride, more, only
 *   access    file, line, column, kind, bytes, check, fate, reason, why, file, line, column (of the call
 *             that has made the check)
 *
 * Checks are numbered anew in each function; "-" is none, or not known. A check's form is "here",
 * "before-loop" or "after-loop", an access's fate "checked" (it has its own), "covered" or
 * "exempt". The calls, checks and accesses of a function follow its line. No field has a tab or
 * newline inside.
 */
#include "emit/explain.h"

#include "emit/emitter.h"
#include "ir/access.h"
#include "ir/calls.h"
#include "ir/llvm.h"
#include "ir/loops.h"
#include "place/place.h"
#include "place/summaries.h"

#include <llvm-c/DebugInfo.h>

static void put_characters(FILE *out, char const *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        putc((unsigned char)text[i] < ' ' ? '?' : text[i], out);
}

static void put_text(FILE *out, char const *text, size_t length) {
    putc('\t', out);
    if (length == 0) putc('-', out);
    put_characters(out, text, length);
}

static void put_number(FILE *out, uint64_t number) {
    fprintf(out, "\t%llu", (unsigned long long)number);
}

/* A file with its directory; null is none. */
static void put_file(FILE *out, LLVMMetadataRef file) {
    unsigned length = 0, directory_length = 0;
    char const *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
    char const *directory = file ? LLVMDIFileGetDirectory(file, &directory_length) : NULL;
    if (length == 0 || name[0] == '/' || directory_length == 0) {
        put_text(out, name, length);
        return;
    }
    put_text(out, directory, directory_length);
    putc('/', out);
    put_characters(out, name, length);
}

/* A DILocation; null is nowhere. */
static void put_location(FILE *out, LLVMMetadataRef at) {
    put_file(out, at ? LLVMDIScopeGetFile(LLVMDILocationGetScope(at)) : NULL);
    put_number(out, at ? LLVMDILocationGetLine(at) : 0);
    put_number(out, at ? LLVMDILocationGetColumn(at) : 0);
}

static void put_kind(FILE *out, struct ir_access const *a) {
    static char const *const kinds[] = {
        [IR_READ] = "read", [IR_WRITE] = "write", [IR_ATOMIC] = "atomic", [IR_FENCE] = "fence"};
    fprintf(out, "\t%s", kinds[a->kind]);
}

/* Bytes that are known to the compiler; a range's are not, nor which lanes of a vector count. */
static void put_bytes(FILE *out, struct ir_access const *a) {
    if (a->shape == IR_BYTES && a->kind != IR_FENCE)
        put_number(out, a->size);
    else
        fputs("\t-", out);
}

static void put_function(FILE *out, LLVMValueRef function) {
    size_t length;
    char const *name = LLVMGetValueName2(function, &length);
    LLVMMetadataRef scope = LLVMGetSubprogram(function);
    fputs("function", out);
    put_text(out, name, length);
    put_file(out, scope ? LLVMDIScopeGetFile(scope) : NULL);
    put_number(out, scope ? LLVMDISubprogramGetLine(scope) : 0);
    putc('\n', out);
}

/* The branch into a loop is often nobody's line; the loop's own test then has the line of it. */
static LLVMMetadataRef loop_location(struct ir_loop const *loop) {
    LLVMMetadataRef at = dh_ir_location(loop->before);
    if (at && LLVMDILocationGetLine(at) != 0) return at;
    return dh_ir_location(LLVMGetBasicBlockTerminator(loop->among->flow.blocks[loop->latch]));
}

static void put_check(FILE *out, struct place_check const *check, size_t number) {
    struct ir_access const *a = check->access;
    fputs("check", out);
    put_number(out, number);
    struct place_sheaf const *sheaf = check->sheaf;
    put_location(out, sheaf ? loop_location(a->run.top) : dh_ir_location(a->instruction));
    bool behind = sheaf && !a->run.loop->counted && a->run.stride != 0;
    fputs(behind ? "\tafter-loop" : sheaf ? "\tbefore-loop" : "\there", out);
    put_kind(out, a);
    if (check->group)
        put_number(out, dh_group_bytes(check->group));
    else if (sheaf && sheaf->count > 1)
        put_number(out, (uint64_t)(sheaf->to - sheaf->from));
    else
        put_bytes(out, a);
    fprintf(out, "\t%lld", sheaf ? (long long)a->run.stride : 0);
    put_number(out, !sheaf ? 0 : sheaf->count > 1 ? sheaf->more : sheaf->strands[0].more);
    fprintf(out, "\t%lld", sheaf ? (long long)sheaf->strands[0].only : 0);
    putc('\n', out);
}

static void put_access(FILE *out, struct ir_accesses const *all, size_t i,
                       struct place_fate const *fate) {
    struct ir_access const *a = &all->list[i];
    fputs("access", out);
    put_location(out, dh_ir_location(a->instruction));
    put_kind(out, a);
    put_bytes(out, a);
    if (fate->check == PLACE_NO_CHECK)
        fputs("\t-", out);
    else
        put_number(out, fate->check);
    fputs(a->exempt != IR_CHECKABLE    ? "\texempt"
          : fate->reason == PLACE_KEPT ? "\tchecked"
                                       : "\tcovered",
          out);
    fprintf(out, "\t%s\t%s", dh_place_reason_name(fate->reason), dh_place_reason_why(fate->reason));
    bool by_call = fate->reason == PLACE_RETURNED || fate->reason == PLACE_CALLED;
    put_location(out, by_call ? dh_ir_location(all->calls[fate->call].instruction) : NULL);
    putc('\n', out);
}

void dh_emit_explain_begin(FILE *out) { fputs("deadheat-explain\n", out); }

void dh_emit_explain(FILE *out, LLVMValueRef function, struct ir_accesses const *accesses,
                     struct placement const *placement, struct place_summaries const *summaries) {
    uint32_t callers;
    ir_value const *calls = dh_summaries_callers(summaries, accesses->function, &callers);
    put_function(out, function);
    for (uint32_t i = 0; i < callers; i++) {
        fputs("call", out);
        put_location(out, dh_ir_location(calls[i]));
        putc('\n', out);
    }
    for (size_t i = 0; i < placement->count; i++)
        put_check(out, &placement->checks[i], i);
    for (size_t i = 0; i < accesses->count; i++)
        put_access(out, accesses, i, &placement->fates[i]);
}
