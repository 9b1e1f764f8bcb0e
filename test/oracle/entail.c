/* Entailment (src/ir/entail.h) against Z3, on questions that real programs give rise to.
 *
 *   entail [--unknown N] FILE.bc...
 *
 * For each two accesses of a function at distances from one pointer: do the bytes of one, or of all rounds of its loop,
 * lie within those of the other, or within a margin around them? What src/ir answers by yes must be valid by Z3, which
 * gets the program itself (entail_code.h); so must, where the other is a loop that may be skipped, that then the one
 * is not reached. Of what is not known, N a function are judged, too, to see how many of them are valid.
 *
 * Exit status: 0 all is valid, 1 something is not, 2 the work cannot be done. */
#include "entail_code.h"

#include "ir/entail.h"
#include "ir/objects.h"
#include "ir/ranges.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAIRS_MAX = 40000,    /* of a function */
    YES_MAX = 60,         /* of a function that are judged */
    EFFORT = 400000,      /* of Z3's, by its own measure */
    TOO_LONG = 10 * 1000, /* milliseconds, if that does not help */
};

static struct {
    unsigned long asked, yes, judged, undecided, skips, wrong;
    unsigned long unknown_judged, unknown_valid;
} totals;

/* A question: is `inner`, as one access or with all rounds, within `outer`? */
struct question {
    struct ir_access const *inner, *outer;
    struct ir_range inner_range, outer_range;
    bool inner_run, outer_run;
    uint64_t margin; /* around the outer one */
    struct ir_swept outer_swept;
};

static Z3_ast claim(struct coder *c, struct coded_range in, struct coded_range out,
                    uint64_t margin) {
    Z3_context z = c->z;
    Z3_sort narrow = Z3_mk_bv_sort(z, 64), wide = Z3_mk_bv_sort(z, 128);
    Z3_ast from = Z3_mk_bvsub(z, out.from, Z3_mk_unsigned_int64(z, margin, narrow));
    Z3_ast bytes = Z3_mk_bvadd(z, out.bytes, Z3_mk_unsigned_int64(z, 2 * margin, wide));
    Z3_ast distance = Z3_mk_zero_ext(z, 64, Z3_mk_bvsub(z, in.from, from));
    return Z3_mk_bvule(z, Z3_mk_bvadd(z, distance, in.bytes), bytes);
}

/* Whether the claim, or nothing at all if that is null, follows from what is assumed. */
static Z3_lbool follows(struct coder *c, Z3_ast what) {
    Z3_context z = c->z;
    Z3_solver s = Z3_mk_solver_for_logic(z, Z3_mk_string_symbol(z, "QF_BV"));
    Z3_solver_inc_ref(z, s);
    Z3_params p = Z3_mk_params(z);
    Z3_params_inc_ref(z, p);
    Z3_params_set_uint(z, p, Z3_mk_string_symbol(z, "rlimit"), EFFORT);
    Z3_params_set_uint(z, p, Z3_mk_string_symbol(z, "timeout"), TOO_LONG);
    Z3_solver_set_params(z, s, p);
    for (unsigned i = 0; i < c->assumed_count; i++)
        Z3_solver_assert(z, s, c->assumed[i]);
    if (what) Z3_solver_assert(z, s, Z3_mk_not(z, what));
    Z3_lbool found = Z3_solver_check(z, s);
    Z3_params_dec_ref(z, p);
    Z3_solver_dec_ref(z, s);
    return found == Z3_L_FALSE ? Z3_L_TRUE : found == Z3_L_TRUE ? Z3_L_FALSE : Z3_L_UNDEF;
}

static struct coded_range code_part(struct coder *c, struct ir_access const *a, bool run) {
    return run ? coder_run(c, a) : coder_access(c, a);
}

static Z3_lbool judge(struct ir_entail const *e, Z3_context z, struct question const *q) {
    static struct coder c;
    coder_open(&c, z, e->layout, e->flow);
    coder_assume_reached(&c, q->inner->block);
    struct coded_range in = code_part(&c, q->inner, q->inner_run);
    struct coded_range out = code_part(&c, q->outer, q->outer_run);
    return c.full ? Z3_L_UNDEF : follows(&c, claim(&c, in, out, q->margin));
}

/* Where the outer loop was skipped the inner access is not reached. */
static Z3_lbool judge_skip(struct ir_entail const *e, Z3_context z, struct question const *q) {
    static struct coder c;
    coder_open(&c, z, e->layout, e->flow);
    coder_assume_reached(&c, q->inner->block);
    coder_assume_edge(&c, q->outer_swept.skip_from, q->outer_swept.skip_to);
    code_part(&c, q->inner, q->inner_run);
    return c.full ? Z3_L_UNDEF : follows(&c, NULL);
}

static void print_access(char const *what, struct ir_access const *a, bool run) {
    char *text = LLVMPrintValueToString(a->instruction),
         *pointer = LLVMPrintValueToString(a->pointer);
    printf("  %s%s: %s, at %s\n", what, run ? ", all rounds" : "", text, pointer);
    LLVMDisposeMessage(text);
    LLVMDisposeMessage(pointer);
}

static void complain(LLVMValueRef function, struct question const *q, char const *what) {
    size_t length;
    printf("%s: %s, margin %llu\n", LLVMGetValueName2(function, &length), what,
           (unsigned long long)q->margin);
    print_access("inner", q->inner, q->inner_run);
    print_access("outer", q->outer, q->outer_run);
    totals.wrong++;
}

/* One function's questions. */
struct hearing {
    LLVMValueRef function;
    struct ir_accesses *accesses;
    Z3_context z;
    unsigned pairs, yes_left, unknown_left;
    unsigned step; /* of the unknown, every so many */
};

static void decide(struct hearing *h, struct question const *q) {
    struct ir_entail *e = h->accesses->entail;
    bool yes = dh_entail_within(e, q->inner->block, &q->inner_range, &q->outer_range);
    totals.asked++;
    totals.yes += yes;
    if (yes ? h->yes_left == 0 : h->unknown_left == 0 || totals.asked % h->step != 0) return;
    Z3_lbool valid = judge(e, h->z, q);
    if (!yes) {
        h->unknown_left--;
        totals.unknown_judged += valid != Z3_L_UNDEF;
        totals.unknown_valid += valid == Z3_L_TRUE;
        return;
    }
    h->yes_left--;
    totals.judged++;
    totals.undecided += valid == Z3_L_UNDEF;
    if (valid == Z3_L_FALSE) complain(h->function, q, "not within");
    if (!q->outer_run || q->outer_swept.skip_from == IR_UNREACHED || q->margin != 0) return;
    valid = judge_skip(e, h->z, q);
    totals.skips++;
    totals.undecided += valid == Z3_L_UNDEF;
    if (valid == Z3_L_FALSE) complain(h->function, q, "reached where the loop is skipped");
}

static struct ir_range here(struct ir_accesses const *all, struct ir_access const *a) {
    struct ir_range r = {all->objects->list[a->object].form, {.constant = a->size}, 1, false};
    r.from.constant = (uint64_t)a->offset;
    return r;
}

static bool is_usable(struct ir_access const *a) {
    return a->exempt == IR_CHECKABLE && a->kind <= IR_WRITE && a->block != IR_UNREACHED
           && a->shape <= IR_RANGE;
}

/* As it is, and if it is more with all rounds, so. */
static void ask_outer(struct hearing *h, struct question *q) {
    static uint64_t const margins[] = {0, 24, 4096};
    struct ir_access const *a = q->outer;
    q->outer_run = false;
    if (dh_range_of(h->accesses->entail, a, &q->outer_swept)) {
        q->outer_run = q->outer_swept.run;
        q->outer_range = q->outer_swept.range;
        q->margin = 0;
        decide(h, q);
    }
    if (a->shape != IR_BYTES) return;
    q->outer_run = false;
    for (unsigned m = 0; m < sizeof margins / sizeof *margins; m++) {
        q->margin = margins[m];
        q->outer_range = here(h->accesses, a);
        q->outer_range.from.constant -= q->margin;
        q->outer_range.count.constant += 2 * q->margin;
        decide(h, q);
    }
}

static void ask_pair(struct hearing *h, struct ir_access const *inner,
                     struct ir_access const *outer) {
    struct question q = {.inner = inner, .outer = outer};
    struct ir_swept swept;
    if (dh_range_of(h->accesses->entail, inner, &swept)) {
        q.inner_run = swept.run;
        q.inner_range = swept.range;
        ask_outer(h, &q);
    }
    if (inner->shape != IR_BYTES || !q.inner_run) return;
    q.inner_run = false;
    q.inner_range = here(h->accesses, inner);
    ask_outer(h, &q);
}

static LLVMValueRef base_of(struct ir_accesses const *all, struct ir_access const *a) {
    struct ir_affine form = {0};
    if (a->shape == IR_BYTES) return all->objects->list[a->object].base;
    dh_affine_add(&form, a->pointer, IR_WHOLE, 1);
    return dh_range_base(&form);
}

static void hear_function(struct ir_module *ir, LLVMValueRef function, struct ir_accesses *accesses,
                          unsigned unknown) {
    struct ir_loops loops;
    dh_ir_accesses(ir, function, accesses);
    dh_ir_order(ir, function, &loops, accesses);
    struct hearing h = {
        function, accesses, NULL, PAIRS_MAX, YES_MAX, unknown, 1 + (unsigned)accesses->count / 4};
    h.z = Z3_mk_context(Z3_mk_config());
    for (size_t i = 0; i < accesses->count; i++)
        for (size_t k = 0; k < accesses->count && h.pairs > 0; k++) {
            struct ir_access const *a = &accesses->list[i], *b = &accesses->list[k];
            if (i == k || !is_usable(a) || !is_usable(b)
                || base_of(accesses, a) != base_of(accesses, b))
                continue;
            /* At a constant distance there is nothing to find out. */
            if (a->shape == IR_BYTES && b->shape == IR_BYTES && a->object == b->object
                && !b->run.loop)
                continue;
            h.pairs--;
            ask_pair(&h, a, b);
        }
    Z3_del_context(h.z);
    dh_loops_close(&loops);
}

static int hear_file(char const *path, unsigned unknown) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
        fprintf(stderr, "entail: %s: %s\n", path, message);
        return 2;
    }
    if (LLVMParseBitcodeInContext2(context, buffer, &module)) {
        fprintf(stderr, "entail: %s: no bitcode\n", path);
        return 2;
    }
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    if (LLVMRunPasses(module, "function(loop-simplify)", NULL, options)) return 2;
    LLVMDisposePassBuilderOptions(options);
    struct ir_module *ir = dh_ir_open(module);
    struct ir_accesses accesses = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (dh_ir_checked(ir, f)) hear_function(ir, f, &accesses, unknown);
    dh_ir_accesses_free(&accesses);
    dh_ir_close(ir);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return 0;
}

int main(int argc, char **argv) {
    unsigned unknown = 4;
    int first = 1;
    if (argc > 2 && strcmp(argv[1], "--unknown") == 0) {
        unknown = (unsigned)strtoul(argv[2], NULL, 10);
        first = 3;
    }
    for (int i = first; i < argc; i++)
        if (hear_file(argv[i], unknown) != 0) return 2;
    printf("%lu questions, %lu answered by yes\n", totals.asked, totals.yes);
    printf("%lu of these judged, %lu with a loop that may be skipped: %lu wrong, %lu undecided\n",
           totals.judged, totals.skips, totals.wrong, totals.undecided);
    printf("%lu of those not known judged: %lu valid\n", totals.unknown_judged,
           totals.unknown_valid);
    if (totals.yes != 0 && totals.unknown_judged != 0) {
        double missed = (double)(totals.asked - totals.yes) * (double)totals.unknown_valid
                        / (double)totals.unknown_judged;
        printf("about %.0f%% of what is valid is found\n",
               100 * (double)totals.yes / ((double)totals.yes + missed));
    }
    return totals.wrong != 0;
}
