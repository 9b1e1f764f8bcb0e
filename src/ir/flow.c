/* Numbering by a depth-first walk without recursion; dominators by the iteration of Cooper, Harvey
 * and Kennedy, which on the graphs that compilers make ends after two or three rounds.
 */
#include "ir/flow.h"

#include <llvm-c/Core.h>
#include <stdlib.h>

static void *zeroed(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size);
    if (!p) abort();
    return p;
}

static struct ir_flow_entry *entry_of(struct ir_flow const *f, LLVMBasicBlockRef block) {
    uint64_t hash = (uint64_t)(uintptr_t)block * 0x9e3779b97f4a7c15u >> 32;
    for (uint32_t i = (uint32_t)hash & f->table_mask;; i = (i + 1) & f->table_mask)
        if (!f->table[i].block || f->table[i].block == block) return &f->table[i];
}

uint32_t dh_flow_number(struct ir_flow const *f, LLVMBasicBlockRef block) {
    struct ir_flow_entry const *e = entry_of(f, block);
    return e->block ? e->number : IR_UNREACHED;
}

/* A block being walked, and which successor comes next. */
struct visit {
    LLVMBasicBlockRef block;
    unsigned next;
};

static bool visit_begin(struct ir_flow *f, LLVMBasicBlockRef block) {
    struct ir_flow_entry *e = entry_of(f, block);
    if (e->block) return false;
    *e = (struct ir_flow_entry){block, IR_UNREACHED};
    return true;
}

/* The reachable blocks, in reverse postorder. */
static void number_blocks(struct ir_flow *f, LLVMValueRef function) {
    unsigned all = LLVMCountBasicBlocks(function);
    uint32_t capacity = 16;
    while (capacity < 2 * all)
        capacity *= 2;
    f->table = zeroed(capacity, sizeof *f->table);
    f->table_mask = capacity - 1;
    LLVMBasicBlockRef *postorder = zeroed(all, sizeof *postorder);
    struct visit *stack = zeroed(all, sizeof *stack);
    unsigned depth = 0;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    visit_begin(f, entry);
    stack[depth++] = (struct visit){entry, 0};
    while (depth > 0) {
        struct visit *top = &stack[depth - 1];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(top->block);
        if (top->next < LLVMGetNumSuccessors(end)) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(end, top->next++);
            if (visit_begin(f, next)) stack[depth++] = (struct visit){next, 0};
        } else {
            postorder[f->count++] = top->block;
            depth--;
        }
    }
    f->blocks = zeroed(f->count, sizeof *f->blocks);
    for (uint32_t i = 0; i < f->count; i++) {
        f->blocks[i] = postorder[f->count - 1 - i];
        entry_of(f, f->blocks[i])->number = i;
    }
    free(postorder);
    free(stack);
}

static void find_predecessors(struct ir_flow *f) {
    f->pred_starts = zeroed((size_t)f->count + 1, sizeof *f->pred_starts);
    for (int fill = 0; fill < 2; fill++) {
        for (uint32_t b = 0; b < f->count; b++) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(f->blocks[b]);
            for (unsigned i = 0, n = LLVMGetNumSuccessors(end); i < n; i++) {
                uint32_t to = dh_flow_number(f, LLVMGetSuccessor(end, i));
                if (fill)
                    f->preds[--f->pred_starts[to]] = b;
                else
                    f->pred_starts[to]++;
            }
        }
        if (fill) break;
        /* From counts to ends; filling moves each end down to its start. */
        for (uint32_t b = 1; b <= f->count; b++)
            f->pred_starts[b] += f->pred_starts[b - 1];
        f->preds = zeroed(f->pred_starts[f->count], sizeof *f->preds);
    }
}

static uint32_t common_dominator(struct ir_flow const *f, uint32_t a, uint32_t b) {
    while (a != b) {
        while (a > b)
            a = f->dominators[a];
        while (b > a)
            b = f->dominators[b];
    }
    return a;
}

static void find_dominators(struct ir_flow *f) {
    f->dominators = zeroed(f->count, sizeof *f->dominators);
    for (uint32_t b = 1; b < f->count; b++)
        f->dominators[b] = IR_UNREACHED;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 1; b < f->count; b++) {
            uint32_t best = IR_UNREACHED;
            for (uint32_t i = f->pred_starts[b]; i < f->pred_starts[b + 1]; i++) {
                uint32_t pred = f->preds[i];
                if (f->dominators[pred] == IR_UNREACHED) continue;
                best = best == IR_UNREACHED ? pred : common_dominator(f, best, pred);
            }
            changed |= best != f->dominators[b];
            f->dominators[b] = best;
        }
    }
}

void dh_flow_open(struct ir_flow *f, LLVMValueRef function) {
    *f = (struct ir_flow){0};
    number_blocks(f, function);
    find_predecessors(f);
    find_dominators(f);
    f->stretches = zeroed(f->count, sizeof *f->stretches);
    f->spans = zeroed(f->count, sizeof *f->spans);
    f->reaches = zeroed(f->count, sizeof *f->reaches);
    f->effects = zeroed(f->count, sizeof *f->effects);
    f->ends = zeroed(f->count, sizeof *f->ends);
    f->returns = zeroed(f->count, sizeof *f->returns);
}

void dh_flow_close(struct ir_flow *f) {
    free(f->blocks);
    free(f->dominators);
    free(f->pred_starts);
    free(f->preds);
    free(f->stretches);
    free(f->spans);
    free(f->reaches);
    free(f->effects);
    free(f->ends);
    free(f->returns);
    free(f->table);
    *f = (struct ir_flow){0};
}

bool dh_flow_dominates(struct ir_flow const *f, uint32_t a, uint32_t b) {
    while (b > a)
        b = f->dominators[b];
    return a == b;
}
