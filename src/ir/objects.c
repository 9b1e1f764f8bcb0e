#include "ir/objects.h"
#include "ir/flow.h"
#include "ir/ranges.h"

#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_MIN = 64 };

static uint32_t *slot_of(struct ir_objects const *o, struct ir_affine const *form) {
    uint32_t i = dh_affine_hash(form) & o->table_mask;
    while (o->table[i] != 0 && !dh_affine_same_terms(&o->list[o->table[i] - 1].form, form))
        i = (i + 1) & o->table_mask;
    return &o->table[i];
}

static void grow(struct ir_objects *o) {
    o->capacity = o->capacity ? 2 * o->capacity : TABLE_MIN / 2;
    o->list = realloc(o->list, o->capacity * sizeof *o->list);
    free(o->table);
    o->table_mask = 2 * o->capacity - 1;
    o->table = calloc(2 * (size_t)o->capacity, sizeof *o->table);
    if (!o->list || !o->table) abort();
    for (uint32_t i = 0; i < o->count; i++)
        *slot_of(o, &o->list[i].form) = i + 1;
}

/* Blocks that dominate others have smaller numbers. */
uint32_t dh_object_block(struct ir_flow const *flow, struct ir_affine const *form) {
    uint32_t last = IR_UNREACHED;
    for (uint32_t i = 0; i < form->count; i++) {
        if (!LLVMIsAInstruction(form->terms[i].value)) continue;
        uint32_t block = dh_flow_number(flow, LLVMGetInstructionParent(form->terms[i].value));
        if (last == IR_UNREACHED || block > last) last = block;
    }
    return last;
}

uint32_t dh_object_of(struct ir_objects *o, struct ir_flow const *flow,
                      struct ir_affine const *form) {
    if (o->count == o->capacity) grow(o);
    uint32_t *slot = slot_of(o, form);
    if (*slot != 0) return *slot - 1;
    struct ir_object *object = &o->list[o->count];
    *object = (struct ir_object){*form, dh_range_base(form), dh_object_block(flow, form)};
    object->form.constant = 0;
    *slot = ++o->count;
    return o->count - 1;
}

uint32_t dh_object_find(struct ir_objects const *o, struct ir_affine const *form) {
    return o->count == 0 ? IR_UNREACHED : *slot_of(o, form) - 1;
}

void dh_objects_clear(struct ir_objects *o) {
    if (o->count != 0) memset(o->table, 0, ((size_t)o->table_mask + 1) * sizeof *o->table);
    o->count = 0;
}

void dh_objects_close(struct ir_objects *o) {
    free(o->list);
    free(o->table);
    *o = (struct ir_objects){0};
}
