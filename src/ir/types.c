/* Finds structs in debug information.
 *
 * The IR knows a struct as "struct.node" and its members by number; debug information knows the
 * members' names. What leads from one to the other is the struct's name and size, and an offset.
 * LLVM's C interface has no list of a module's types, so its metadata is walked as a graph, from
 * the compile units, the functions and the local variables on. Each node is visited once.
 *
 * Names need not be unique: a module may have several structs of one name in different blocks, and
 * all instances of a template have one name in the IR. Several are as good as one if their parts
 * agree.
 */
#include "ir/types.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* DWARF's numbers for kinds of nodes, and LLVM's for the operands that matter here. */
enum {
    TAG_ARRAY = 0x01,
    TAG_CLASS = 0x02,
    TAG_MEMBER = 0x0d,
    TAG_STRUCT = 0x13,
    TAG_TYPEDEF = 0x16,
    TAG_UNION = 0x17,
    TAG_INHERITANCE = 0x1c,
    TAG_CONST = 0x26,
    TAG_VOLATILE = 0x35,
    TAG_ATOMIC = 0x47,
};
enum { OPERAND_SCOPE = 1, OPERAND_NAME = 2, OPERAND_BASE = 3, OPERAND_ELEMENTS = 4 };

/* Nodes that the walk has met: a set, and in order. */
struct walk {
    LLVMContextRef context;
    LLVMMetadataRef *order, *set;
    size_t count, capacity; /* the set has twice that many slots */
};

static void *grown(void *old, size_t bytes) {
    void *p = realloc(old, bytes);
    if (!p) abort();
    return p;
}

static size_t slot_of(struct walk const *w, LLVMMetadataRef n) {
    size_t mask = 2 * w->capacity - 1, i = (((uintptr_t)n >> 4) * 0x9e3779b97f4a7c15u >> 20) & mask;
    while (w->set[i] && w->set[i] != n)
        i = (i + 1) & mask;
    return i;
}

static void walk_grow(struct walk *w) {
    w->capacity = w->capacity ? 2 * w->capacity : 1024;
    w->order = grown(w->order, w->capacity * sizeof *w->order);
    free(w->set);
    w->set = calloc(2 * w->capacity, sizeof *w->set);
    if (!w->set) abort();
    for (size_t i = 0; i < w->count; i++)
        w->set[slot_of(w, w->order[i])] = w->order[i];
}

static void walk_add(struct walk *w, LLVMMetadataRef n) {
    if (!n) return;
    if (w->count == w->capacity) walk_grow(w);
    size_t i = slot_of(w, n);
    if (w->set[i]) return;
    w->set[i] = n;
    w->order[w->count++] = n;
}

/* The operands of a node, those that are nodes themselves; others are null. The caller frees. */
static LLVMMetadataRef *operands_of(LLVMContextRef c, LLVMMetadataRef node, unsigned *count) {
    LLVMValueRef v = LLVMMetadataAsValue(c, node);
    *count = LLVMIsAMDNode(v) ? LLVMGetMDNodeNumOperands(v) : 0;
    LLVMValueRef *values = calloc(*count + 1, sizeof *values);
    if (!values) abort();
    if (*count) LLVMGetMDNodeOperands(v, values);
    for (unsigned i = 0; i < *count; i++) {
        bool is_node = values[i] && LLVMIsAMDNode(values[i]) && !LLVMIsAConstant(values[i]);
        values[i] = is_node ? (LLVMValueRef)LLVMValueAsMetadata(values[i]) : NULL;
    }
    return (LLVMMetadataRef *)values;
}

static LLVMMetadataRef operand_of(LLVMContextRef c, LLVMMetadataRef node, unsigned which) {
    unsigned count;
    LLVMMetadataRef *operands = operands_of(c, node, &count),
                    result = which < count ? operands[which] : NULL;
    free(operands);
    return result;
}

static bool is_type(LLVMMetadataRef n) {
    LLVMMetadataKind k = LLVMGetMetadataKind(n);
    return k == LLVMDICompositeTypeMetadataKind || k == LLVMDIDerivedTypeMetadataKind;
}

static unsigned tag_of(LLVMMetadataRef n) { return n && is_type(n) ? LLVMGetDINodeTag(n) : 0; }

static bool is_struct(LLVMMetadataRef n) {
    unsigned tag = tag_of(n);
    return tag == TAG_STRUCT || tag == TAG_CLASS || tag == TAG_UNION;
}

static size_t name_of(LLVMMetadataRef n, char const **name) {
    size_t length = 0;
    *name = is_type(n) ? LLVMDITypeGetName(n, &length) : NULL;
    return *name ? length : 0;
}

/* A name of a scope that is not a type: namespaces have it as an operand. */
static size_t namespace_name(LLVMContextRef c, LLVMMetadataRef n, char const **name) {
    LLVMValueRef v = LLVMMetadataAsValue(c, n), operands[8];
    unsigned length = 0;
    if (LLVMGetMetadataKind(n) != LLVMDINamespaceMetadataKind || LLVMGetMDNodeNumOperands(v) > 8)
        return 0;
    LLVMGetMDNodeOperands(v, operands);
    *name = operands[OPERAND_NAME] ? LLVMGetMDString(operands[OPERAND_NAME], &length) : NULL;
    return *name ? length : 0;
}

/* Appends a node's name as the IR would have it: with its scopes, without template arguments. */
static size_t qualified_name(LLVMContextRef c, LLVMMetadataRef n, char *text, size_t room) {
    char const *name;
    size_t at = 0, length = name_of(n, &name);
    if (length == 0) length = namespace_name(c, n, &name);
    if (length == 0) return 0;
    LLVMMetadataRef scope = operand_of(c, n, OPERAND_SCOPE);
    if (scope) at = qualified_name(c, scope, text, room);
    if (at != 0 && at + 2 < room) memcpy(text + at, "::", 2), at += 2;
    char const *arguments = memchr(name, '<', length);
    if (arguments) length = (size_t)(arguments - name);
    if (at + length + 1 > room) return 0;
    memcpy(text + at, name, length);
    text[at + length] = 0;
    return at + length;
}

static void types_add(struct ir_types *t, char const *name, LLVMMetadataRef node) {
    if (t->count == t->capacity) {
        t->capacity = t->capacity ? 2 * t->capacity : 64;
        t->list = grown(t->list, t->capacity * sizeof *t->list);
    }
    char *copy = strdup(name);
    if (!copy) abort();
    t->list[t->count++] = (struct ir_type){.name = copy, .node = node};
}

/* A struct has its own name, or the one of a typedef if it has none. */
static void types_consider(struct ir_types *t, LLVMMetadataRef n) {
    char name[TYPE_NAME_MAX];
    char const *own;
    LLVMMetadataRef node = n;
    if (tag_of(n) == TAG_TYPEDEF) {
        node = operand_of(t->context, n, OPERAND_BASE);
        if (!is_struct(node) || name_of(node, &own) != 0) return;
    }
    if (!is_struct(node) || LLVMDITypeGetSizeInBits(node) == 0) return; /* 0: declared only */
    if (qualified_name(t->context, n, name, sizeof name) != 0) types_add(t, name, node);
}

/* The variables of functions are known to the places only that say where they live. These are calls
 * of intrinsics in LLVM's old form, which is the one that its C interface can look at. */
static void walk_variables(struct walk *w, LLVMModuleRef module) {
    LLVMBool new_form = LLVMIsNewDbgInfoFormat(module);
    if (new_form) LLVMSetIsNewDbgInfoFormat(module, 0);
    LLVMValueRef declare = LLVMGetNamedFunction(module, "llvm.dbg.declare");
    for (LLVMUseRef u = declare ? LLVMGetFirstUse(declare) : NULL; u; u = LLVMGetNextUse(u)) {
        LLVMValueRef variable = LLVMGetOperand(LLVMGetUser(u), 1);
        if (LLVMIsAMDNode(variable)) walk_add(w, LLVMValueAsMetadata(variable));
    }
    if (new_form) LLVMSetIsNewDbgInfoFormat(module, 1);
}

static void walk_roots(struct walk *w, LLVMModuleRef module) {
    unsigned units = LLVMGetNamedMetadataNumOperands(module, "llvm.dbg.cu");
    LLVMValueRef *values = calloc(units + 1, sizeof *values);
    if (!values) abort();
    LLVMGetNamedMetadataOperands(module, "llvm.dbg.cu", values);
    for (unsigned i = 0; i < units; i++)
        walk_add(w, LLVMValueAsMetadata(values[i]));
    free(values);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        walk_add(w, LLVMGetSubprogram(f));
    walk_variables(w, module);
}

static int by_name(void const *a, void const *b) {
    return strcmp(((struct ir_type const *)a)->name, ((struct ir_type const *)b)->name);
}

void dh_ir_types(LLVMModuleRef module, struct ir_types *types) {
    struct walk w = {.context = LLVMGetModuleContext(module)};
    *types = (struct ir_types){.context = w.context};
    walk_roots(&w, module);
    for (size_t i = 0; i < w.count; i++) {
        unsigned count;
        LLVMMetadataRef *operands = operands_of(w.context, w.order[i], &count);
        for (unsigned o = 0; o < count; o++)
            walk_add(&w, operands[o]);
        free(operands);
        types_consider(types, w.order[i]);
    }
    if (types->count) qsort(types->list, types->count, sizeof *types->list, by_name);
    free(w.order);
    free(w.set);
}

void dh_ir_types_free(struct ir_types *types) {
    for (size_t i = 0; i < types->count; i++)
        free(types->list[i].name);
    free(types->list);
    *types = (struct ir_types){0};
}

uint64_t dh_ir_types_bits(LLVMMetadataRef node) { return LLVMDITypeGetSizeInBits(node); }

bool dh_ir_types_name(struct ir_types const *types, LLVMMetadataRef node,
                      char name[TYPE_NAME_MAX]) {
    unsigned tag = tag_of(node);
    char const *keyword = tag == TAG_UNION ? "union " : tag == TAG_CLASS ? "class " : "struct ";
    size_t at = strlen(keyword);
    memcpy(name, keyword, at);
    if (qualified_name(types->context, node, name + at, TYPE_NAME_MAX - at) != 0) return true;
    for (size_t i = 0; i < types->count; i++) {
        if (types->list[i].node != node) continue;
        strcpy(name, types->list[i].name);
        return true;
    }
    return false;
}

/* The next part at or after element *i of a struct, for which *i moves on; null at the end. Static
 * members, functions and nested types are no parts. */
static LLVMMetadataRef next_part(LLVMMetadataRef const *elements, unsigned count, unsigned *i) {
    while (*i < count) {
        LLVMMetadataRef e = elements[(*i)++];
        unsigned tag = tag_of(e);
        if ((tag == TAG_MEMBER && !(LLVMDITypeGetFlags(e) & LLVMDIFlagStaticMember))
            || tag == TAG_INHERITANCE)
            return e;
    }
    return NULL;
}

static LLVMMetadataRef *elements_of(LLVMContextRef c, LLVMMetadataRef node, unsigned *count) {
    LLVMMetadataRef elements = operand_of(c, node, OPERAND_ELEMENTS);
    *count = 0;
    return elements ? operands_of(c, elements, count) : NULL;
}

static bool same_part(LLVMMetadataRef a, LLVMMetadataRef b) {
    char const *name_a, *name_b;
    size_t length = name_of(a, &name_a);
    return LLVMDITypeGetOffsetInBits(a) == LLVMDITypeGetOffsetInBits(b)
           && name_of(b, &name_b) == length && (length == 0 || memcmp(name_a, name_b, length) == 0);
}

/* Both have parts of the same names in the same places. */
static bool same_parts(LLVMContextRef c, LLVMMetadataRef a, LLVMMetadataRef b) {
    unsigned count_a, count_b, i = 0, j = 0;
    LLVMMetadataRef *as = elements_of(c, a, &count_a), *bs = elements_of(c, b, &count_b), m, n;
    do {
        m = next_part(as, count_a, &i);
        n = next_part(bs, count_b, &j);
    } while (m && n && same_part(m, n));
    free(as);
    free(bs);
    return !m && !n;
}

/* The first in the list that is not less than the name. */
static size_t lower_bound(struct ir_types const *t, char const *name) {
    size_t low = 0, high = t->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(t->list[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static LLVMMetadataRef find_exact(struct ir_types const *t, char const *name, uint64_t bits) {
    LLVMMetadataRef result = NULL;
    for (size_t i = lower_bound(t, name); i < t->count && strcmp(t->list[i].name, name) == 0; i++) {
        LLVMMetadataRef n = t->list[i].node;
        if (LLVMDITypeGetSizeInBits(n) != bits) continue;
        if (result && !same_parts(t->context, result, n)) return NULL;
        result = n;
    }
    return result;
}

LLVMMetadataRef dh_ir_types_find(struct ir_types const *types, char const *ir_name, uint64_t bits) {
    char name[TYPE_NAME_MAX];
    char const *dot = strchr(ir_name, '.'); /* "struct.", "class.", "union." */
    if (!dot || strlen(dot + 1) >= sizeof name) return NULL;
    strcpy(name, dot + 1);
    LLVMMetadataRef node = find_exact(types, name, bits);
    if (node) return node;
    char *number = strrchr(name, '.'); /* LLVM numbers the further ones of a name */
    if (!number || number[1 + strspn(number + 1, "0123456789")] != 0) return NULL;
    *number = 0;
    return find_exact(types, name, bits);
}

/* The struct that a member's type is, under its typedefs and qualifiers, or is an array of. */
static LLVMMetadataRef struct_under(LLVMContextRef c, LLVMMetadataRef type) {
    for (;;) {
        unsigned tag = tag_of(type);
        if (tag != TAG_TYPEDEF && tag != TAG_CONST && tag != TAG_VOLATILE && tag != TAG_ATOMIC
            && tag != TAG_ARRAY)
            return is_struct(type) ? type : NULL;
        type = operand_of(c, type, OPERAND_BASE);
    }
}

/* The part at an offset. Parts without size, such as empty bases and flexible arrays, give way to
 * others. A bit-field is accessed by an integer that may hold its neighbours: it must be the only
 * one around. */
static LLVMMetadataRef part_at(struct ir_types const *types, LLVMMetadataRef node, uint64_t bits) {
    unsigned count, i = 0, bit_fields = 0;
    LLVMMetadataRef *elements = elements_of(types->context, node, &count), part, found = NULL;
    while ((part = next_part(elements, count, &i))) {
        uint64_t offset = LLVMDITypeGetOffsetInBits(part);
        if (LLVMDITypeGetFlags(part) & LLVMDIFlagBitField) {
            if (offset < bits || offset >= bits + 64) continue;
            bit_fields++;
            if (!found) found = part;
        } else if (offset == bits && (!found || LLVMDITypeGetSizeInBits(part) != 0)) {
            found = part;
        }
    }
    free(elements);
    bool several = found && (LLVMDITypeGetFlags(found) & LLVMDIFlagBitField) && bit_fields > 1;
    return several ? NULL : found;
}

bool dh_ir_types_member(struct ir_types const *types, LLVMMetadataRef node, uint64_t bits,
                        struct ir_member *member) {
    LLVMMetadataRef part = part_at(types, node, bits);
    char const *name;
    if (!part || name_of(part, &name) >= sizeof member->name) return false;
    *member = (struct ir_member){
        .base = tag_of(part) == TAG_INHERITANCE,
        .type = struct_under(types->context, operand_of(types->context, part, OPERAND_BASE))};
    size_t length = name_of(part, &name);
    if (length) memcpy(member->name, name, length);
    return true;
}
