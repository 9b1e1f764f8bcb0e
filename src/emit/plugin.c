/* The steps of the plugin, in the order in which a module goes through them. */
#include "emit/plugin.h"
#include "emit/emitter.h"
#include "emit/explain.h"
#include "emit/link.h"
#include "ir/llvm.h"
#include "place/place.h"
#include "place/summaries.h"
#include "rt/abi.h"

#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The shadow's layout, the slow exits' calling convention and the va_list are those of x86-64. */
static bool is_supported(LLVMModuleRef module) {
    return strncmp(LLVMGetTarget(module), "x86_64", 6) == 0
           && LLVMPointerSize(LLVMGetModuleDataLayout(module)) == 8;
}

static void emitter_open(struct emitter *e, LLVMModuleRef module,
                         struct plugin_options const *options) {
    LLVMContextRef c = LLVMGetModuleContext(module);
    *e = (struct emitter){
        .module = module,
        .context = c,
        .builder = LLVMCreateBuilderInContext(c),
        .none = LLVMVoidTypeInContext(c),
        .pointer = LLVMPointerTypeInContext(c, 0),
        .i8 = LLVMInt8TypeInContext(c),
        .i32 = LLVMInt32TypeInContext(c),
        .i64 = LLVMInt64TypeInContext(c),
        .order_flags = options->cxx20 ? DH_ORDER_CXX20 : 0,
        .footprints = strncmp(options->detector, "slim", 4) == 0,
        .audit = options->audit,
        .accounts = !options->outline,
        .gathers = strcmp(options->detector, "bigfoot") == 0 && !options->audit,
    };
}

static bool is_named(LLVMValueRef function, char const *const *names, size_t count) {
    size_t length;
    char const *name = LLVMGetValueName2(function, &length);
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

/* Library functions that the code generator would expand into accesses of its own, after checks are
 * placed. As calls they are seen by the runtime, which checks what they really access. */
static bool is_expandable(LLVMValueRef callee) {
    static char const *const names[] = {"memcmp", "bcmp",    "memchr", "mempcpy", "strcmp",
                                        "strlen", "strnlen", "strcpy", "stpcpy"};
    return LLVMIsAFunction(callee) && LLVMIsDeclaration(callee)
           && is_named(callee, names, sizeof names / sizeof *names);
}

static void keep_library_calls(struct emitter *e, LLVMValueRef function) {
    LLVMAttributeRef nobuiltin =
        LLVMCreateEnumAttribute(e->context, LLVMGetEnumAttributeKindForName("nobuiltin", 9), 0);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if ((LLVMIsACallInst(i) || LLVMIsAInvokeInst(i))
                && is_expandable(LLVMGetCalledValue(i)))
                LLVMAddCallSiteAttribute(i, (unsigned)LLVMAttributeFunctionIndex, nobuiltin);
}

char const *dh_plugin_start(LLVMModuleRef module, struct plugin_options const *options) {
    (void)options;
    dh_emit_fields(module);
    return NULL;
}

/* A function that gets checks. The loops and what points to them stay where they are. */
struct unit {
    LLVMValueRef function; /* null: it gets none */
    struct plugin_options options;
    place_function *place;
    struct ir_accesses accesses;
    struct ir_loops loops;
    struct placement placement;
};

/* The options of all functions, or null: each has its own. False: it gets no checks. */
static bool unit_open(struct unit *u, struct ir_module *ir, LLVMValueRef f,
                      struct plugin_options const *options) {
    if (!dh_ir_checked(ir, f)) return false;
    if (options)
        u->options = *options;
    else if (!dh_link_options(f, &u->options))
        return false;
    u->place = dh_place_of(u->options.detector);
    u->function = u->place ? f : NULL;
    return u->place != NULL;
}

/* Where checks go, in all functions before any is changed: what is checked in one is known in
 * others. */
static void place_module(struct ir_module *ir, struct unit *units,
                         struct place_summaries *summaries, struct plugin_options const *options) {
    uint32_t count = dh_ir_functions(ir);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = dh_ir_ordered(ir, i);
        struct unit *u = &units[number];
        LLVMValueRef f = dh_ir_function(ir, number);
        if (!unit_open(u, ir, f, options)) continue;
        dh_ir_accesses(ir, f, &u->accesses);
        dh_ir_order(ir, f, &u->loops, &u->accesses);
        if (dh_place_uses_summaries(u->place))
            dh_summaries_learn(summaries, &u->accesses, dh_ir_certain(f), dh_ir_uses(f));
    }
    for (uint32_t i = count; i-- > 0;) {
        struct unit *u = &units[dh_ir_ordered(ir, i)];
        if (u->function) u->place(&u->accesses, &u->placement, summaries);
    }
}

static void emit_unit(LLVMModuleRef module, struct unit *u, struct place_summaries const *summaries,
                      FILE *explained) {
    struct emitter e;
    emitter_open(&e, module, &u->options);
    if (explained) dh_emit_explain(explained, u->function, &u->accesses, &u->placement, summaries);
    dh_emit_checks(&e, &u->placement);
    if (e.accounts) dh_emit_accounts(&e, &u->placement);
    if (e.audit) dh_emit_accesses(&e, &u->accesses);
    dh_emit_atomics(&e, &u->placement);
    keep_library_calls(&e, u->function);
    LLVMDisposeBuilder(e.builder);
    free(e.rounds);
    dh_loops_close(&u->loops);
    dh_placement_free(&u->placement);
    dh_ir_accesses_free(&u->accesses);
}

/* The options as for units. */
static char const *place_checks(LLVMModuleRef module, struct plugin_options const *options,
                                FILE *explained) {
    /* Every loop gets one way in, with a block of its own, and one way back. */
    if (!dh_emit_passes(module, "function(loop-simplify)")) return "loops cannot be simplified";
    struct place_stats stats = {0};
    struct ir_module *ir = dh_ir_open(module);
    uint32_t count = dh_ir_functions(ir);
    struct place_summaries *summaries = dh_summaries_open(count);
    struct unit *units = calloc(count + 1, sizeof *units);
    bool print = options && options->stats, audit = options && options->audit;
    if (!units) abort();
    place_module(ir, units, summaries, options);
    for (uint32_t i = 0; i < count; i++) {
        if (!units[i].function) continue;
        print |= units[i].options.stats;
        audit |= units[i].options.audit;
        dh_place_count(&units[i].placement, &units[i].accesses, &stats);
        emit_unit(module, &units[i], summaries, explained);
    }
    if (audit) dh_emit_audited(module);
    if (print) {
        size_t length;
        dh_place_print(&stats, LLVMGetSourceFileName(module, &length), stderr);
    }
    free(units);
    dh_summaries_close(summaries);
    dh_ir_close(ir);
    return NULL;
}

char const *dh_plugin_place(LLVMModuleRef module, struct plugin_options const *options) {
    if (!is_supported(module)) return "only x86-64 is supported";
    if (!dh_place_of(options->detector)) return "no such detector (-deadheat-detector)";
    if (options->put_off) {
        dh_link_put_off(module, options);
        return NULL;
    }
    FILE *explained = NULL;
    if (options->explain[0] && !(explained = fopen(options->explain, "w")))
        return "the file of -deadheat-explain cannot be written";
    if (explained) dh_emit_explain_begin(explained);
    char const *problem = place_checks(module, options, explained);
    if (explained && fclose(explained) != 0)
        return "the file of -deadheat-explain cannot be written";
    return problem;
}

/* The attribute has done its work. Without it a module that comes again, as bitcode, is left alone.
 */
static char const *make_inline(LLVMModuleRef module, bool outline) {
    unsigned kind = LLVMGetEnumAttributeKindForName("sanitize_thread", 15);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        LLVMRemoveEnumAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, kind);
    return is_supported(module) && !outline ? dh_emit_inline(module) : NULL;
}

/* A square root is an instruction, and a call only where errno is to be set, of the thread itself.
 * clang's own pass, which comes next, would make it a call always, because it is a library function
 * that writes memory: it leaves alone what has this mark. */
static void leave_square_roots(LLVMModuleRef module) {
    static char const *const names[] = {"sqrt", "sqrtf", "sqrtl"};
    LLVMContextRef c = LLVMGetModuleContext(module);
    unsigned kind = LLVMGetMDKindIDInContext(c, "nosanitize", 10);
    LLVMValueRef mark = LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, NULL, 0));
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        LLVMValueRef f = LLVMGetNamedFunction(module, names[n]);
        if (!f || !LLVMIsDeclaration(f)) continue;
        for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef call = LLVMGetUser(use);
            if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == f)
                LLVMSetMetadata(call, kind, mark);
        }
    }
}

char const *dh_plugin_inline(LLVMModuleRef module, struct plugin_options const *options) {
    leave_square_roots(module);
    return options->put_off ? NULL : make_inline(module, options->outline);
}

char const *dh_plugin_link_place(LLVMModuleRef module, struct plugin_options const *options) {
    (void)options; /* these are the linker's: each function has its own */
    char const *problem = place_checks(module, NULL, NULL);
    dh_link_take_up(module);
    return problem;
}

char const *dh_plugin_link_inline(LLVMModuleRef module, struct plugin_options const *options) {
    (void)options;
    return make_inline(module, false);
}

char const *dh_plugin_finish(LLVMModuleRef module, struct plugin_options const *options) {
    (void)options;
    dh_emit_constructors(module);
    return NULL;
}
