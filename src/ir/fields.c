/* Names the fields that accesses touch.
 *
 * In the IR that comes from the front end, `p->next` is a load through a getelementptr into
 * %struct.node, and has the position of the expression. The optimiser soon turns such address
 * arithmetic into plain byte offsets, so the names are taken before it runs, and are kept by
 * position: what becomes of the access is then of no matter.
 *
 * The path from the outermost struct is written out: p->in[3].x is "struct outer.in[].x". Where a
 * base class is entered the name starts anew with it.
 */
#include "ir/fields.h"
#include "ir/types.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 16, TEXT_MAX = 1024 };

struct search {
    LLVMTargetDataRef layout;
    struct ir_types types;
    struct ir_fields *fields;
};

/* A step into an object: to a member of a struct, or (type null) to an element of an array. */
struct step {
    LLVMTypeRef type;
    unsigned member;
};

struct path {
    struct step steps[STEPS_MAX];
    unsigned count;
    LLVMTypeRef type; /* of what it leads to; null: not known */
};

static bool is_gep(LLVMValueRef v) {
    return LLVMIsAGetElementPtrInst(v)
           || (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

/* Adds the steps of one address computation. False: too many, or not of this kind. */
static bool path_add_try(struct path *p, LLVMValueRef gep) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (unsigned o = 2; o < (unsigned)LLVMGetNumOperands(gep);
         o++) { /* 1 steps over whole objects */
        LLVMValueRef index = LLVMGetOperand(gep, o);
        struct step step = {0};
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            if (!LLVMIsAConstantInt(index)) return false;
            step = (struct step){type, (unsigned)LLVMConstIntGetZExtValue(index)};
            type = LLVMStructGetTypeAtIndex(type, step.member);
        } else if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
            type = LLVMGetElementType(type);
        } else {
            return false;
        }
        if (p->count == STEPS_MAX) return false;
        p->steps[p->count++] = step;
    }
    p->type = type;
    return true;
}

/* As the front end names them. Which member is meant the address does not tell. */
static bool is_union(LLVMTypeRef structure) {
    char const *name = LLVMGetStructName(structure);
    return name && strncmp(name, "union.", 6) == 0;
}

/* Where the first member is meant, the front end computes no address. Follows the first ones as
 * long as an access of so many bytes fits. */
static void path_into_first(struct search const *s, struct path *p, uint64_t size) {
    while (p->type && p->count < STEPS_MAX) {
        bool structure = LLVMGetTypeKind(p->type) == LLVMStructTypeKind;
        if (structure ? LLVMCountStructElementTypes(p->type) == 0 || is_union(p->type)
                      : LLVMGetTypeKind(p->type) != LLVMArrayTypeKind)
            return;
        struct step step = {structure ? p->type : NULL, 0};
        LLVMTypeRef first =
            structure ? LLVMStructGetTypeAtIndex(p->type, 0) : LLVMGetElementType(p->type);
        if (LLVMABISizeOfType(s->layout, first) < size) return;
        p->steps[p->count++] = step;
        p->type = first;
    }
}

/* The steps from the object that a pointer is computed from to where it points, outermost first. */
static bool path_to_try(struct path *p, LLVMValueRef pointer) {
    LLVMValueRef geps[STEPS_MAX];
    unsigned count = 0;
    for (; is_gep(pointer); pointer = LLVMGetOperand(pointer, 0)) {
        if (count == STEPS_MAX) return false;
        geps[count++] = pointer;
    }
    p->count = 0;
    p->type = LLVMIsAGlobalVariable(pointer) ? LLVMGlobalGetValueType(pointer) : NULL;
    while (count > 0)
        if (!path_add_try(p, geps[--count])) return false;
    return true;
}

/* The debug information of the struct that a step goes into: the type of the member that the last
 * step led to, or the one of that name. */
static LLVMMetadataRef struct_of(struct search *s, LLVMTypeRef type, LLVMMetadataRef known) {
    uint64_t bits = 8 * LLVMABISizeOfType(s->layout, type);
    if (known && dh_ir_types_bits(known) == bits) return known;
    char const *name = LLVMGetStructName(type);
    return name ? dh_ir_types_find(&s->types, name, bits) : NULL;
}

static void append(char *text, char const *more) {
    size_t at = strlen(text);
    snprintf(text + at, TEXT_MAX - at, "%s", more);
}

/* "struct node.next", or nothing where it cannot be told. */
static bool path_text(struct search *s, struct path const *p, char text[TEXT_MAX]) {
    LLVMMetadataRef node = NULL;
    bool named = false;
    text[0] = 0;
    for (unsigned i = 0; i < p->count; i++) {
        struct step step = p->steps[i];
        struct ir_member member;
        if (!step.type) {
            if (named) append(text, "[]");
            continue;
        }
        node = struct_of(s, step.type, node);
        if (!node) return false;
        if (!named && !dh_ir_types_name(&s->types, node, text)) return false;
        uint64_t bits = 8 * LLVMOffsetOfElement(s->layout, step.type, step.member);
        if (!dh_ir_types_member(&s->types, node, bits, &member)) return false;
        named = !member.base;
        if (named && member.name[0]) append(text, "."), append(text, member.name);
        node = member.type;
    }
    return named;
}

/* The same for an access of this type there; null: of a block of memory. */
static bool access_text(struct search *s, struct path const *p, LLVMTypeRef type,
                        char text[TEXT_MAX]) {
    struct path further = *p;
    if (type) path_into_first(s, &further, LLVMABISizeOfType(s->layout, type));
    return path_text(s, &further, text) || path_text(s, p, text);
}

static void fields_add(struct ir_fields *f, char const *record) {
    if (f->count == f->capacity) {
        f->capacity = f->capacity ? 2 * f->capacity : 64;
        f->list = realloc(f->list, f->capacity * sizeof *f->list);
        if (!f->list) abort();
    }
    f->list[f->count] = strdup(record);
    if (!f->list[f->count++]) abort();
}

/* The file as a symbolizer would print it. What has no name is noted, too: with a macro it may be
 * at the place of something that has one. A local variable is not, since whatever is computed reads
 * some. */
static void search_access(struct search *s, LLVMValueRef i, LLVMValueRef pointer,
                          LLVMTypeRef type) {
    struct path path;
    char field[TEXT_MAX], record[3 * TEXT_MAX];
    if (!LLVMInstructionGetDebugLoc(i) || LLVMGetDebugLocLine(i) == 0) return;
    if (LLVMIsAAllocaInst(pointer)) return;
    if (!path_to_try(&path, pointer) || !access_text(s, &path, type, field)) field[0] = 0;
    unsigned directory_length = 0, file_length = 0;
    char const *directory = LLVMGetDebugLocDirectory(i, &directory_length);
    char const *file = LLVMGetDebugLocFilename(i, &file_length);
    if (!file || file_length == 0) return;
    bool relative = file[0] != '/' && directory_length != 0;
    int n = snprintf(record, sizeof record, "%.*s%s%.*s\t%u\t%u\t%s",
                     relative ? (int)directory_length : 0, relative ? directory : "",
                     relative ? "/" : "", (int)file_length, file, LLVMGetDebugLocLine(i),
                     LLVMGetDebugLocColumn(i), field);
    if (n > 0 && (size_t)n < sizeof record) fields_add(s->fields, record);
}

static bool is_copy(LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    return LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) != 0
           && strncmp(LLVMGetValueName2(callee, &length), "llvm.mem", 8) == 0;
}

static void search_instruction(struct search *s, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad: search_access(s, i, LLVMGetOperand(i, 0), LLVMTypeOf(i)); break;
    case LLVMAtomicRMW: search_access(s, i, LLVMGetOperand(i, 0), LLVMTypeOf(i)); break;
    case LLVMAtomicCmpXchg:
        search_access(s, i, LLVMGetOperand(i, 0), LLVMTypeOf(LLVMGetOperand(i, 1)));
        break;
    case LLVMStore:
        search_access(s, i, LLVMGetOperand(i, 1), LLVMTypeOf(LLVMGetOperand(i, 0)));
        break;
    case LLVMCall:
        if (!is_copy(i)) break;
        for (unsigned o = 0; o < 2; o++)
            if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, o))) == LLVMPointerTypeKind)
                search_access(s, i, LLVMGetOperand(i, o), NULL);
        break;
    default: break;
    }
}

static int by_text(void const *a, void const *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* How long the part of a record is that says where. */
static size_t place_length(char const *record) {
    return (size_t)(strrchr(record, '\t') - record) + 1;
}

static bool names_a_field(char const *record) { return record[place_length(record)] != 0; }

/* One record for each place, none where several fields are accessed, or something else than a
 * field. Equal records are neighbours, and so are those of one place. */
static void fields_settle(struct ir_fields *f) {
    size_t kept = 0;
    for (size_t i = 0, next; i < f->count; i = next) {
        size_t place = place_length(f->list[i]);
        bool same = true;
        for (next = i + 1; next < f->count && place_length(f->list[next]) == place
                           && memcmp(f->list[next], f->list[i], place) == 0;
             next++)
            same &= strcmp(f->list[next], f->list[i]) == 0;
        bool keep = same && names_a_field(f->list[i]);
        char *first = f->list[i];
        for (size_t j = i + keep; j < next; j++)
            free(f->list[j]);
        if (keep) f->list[kept++] = first;
    }
    f->count = kept;
}

void dh_ir_fields(LLVMModuleRef module, struct ir_fields *fields) {
    struct search s = {.layout = LLVMGetModuleDataLayout(module), .fields = fields};
    *fields = (struct ir_fields){0};
    if (LLVMGetNamedMetadataNumOperands(module, "llvm.dbg.cu") == 0) return;
    dh_ir_types(module, &s.types);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                search_instruction(&s, i);
    dh_ir_types_free(&s.types);
    if (fields->count) qsort(fields->list, fields->count, sizeof *fields->list, by_text);
    fields_settle(fields);
}

void dh_ir_fields_free(struct ir_fields *fields) {
    for (size_t i = 0; i < fields->count; i++)
        free(fields->list[i]);
    free(fields->list);
    *fields = (struct ir_fields){0};
}
