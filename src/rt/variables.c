#include "rt/variables.h"
#include "rt/heap.h"

/* ---- locals ---- */

/* Is the machine function that starts at `entry` one that keeps a frame pointer? */
static bool keeps_frame_pointer(uintptr_t entry) {
    static unsigned char const landing[] = {0xf3, 0x0f, 0x1e, 0xfa};   /* endbr64 */
    static unsigned char const push_move[] = {0x55, 0x48, 0x89, 0xe5}; /* push rbp; mov rbp, rsp */
    unsigned char code[sizeof landing + sizeof push_move];
    if (entry == 0 || !dh_memory_read(code, entry, sizeof code)) return false;
    bool landed = dh_compare(code, landing, sizeof landing) == 0;
    return dh_compare(code + (landed ? sizeof landing : 0), push_move, sizeof push_move) == 0;
}

/* Clang describes a local that lies in the frame by its distance from rbp (DW_OP_fbreg, where the
 * frame base is rbp). Locals are below rbp, parameters in memory above the return address. */
static bool inside_frame(struct dh_symbol_local const *local) {
    return local->offset + (int64_t)local->size <= 0 || local->offset >= 16;
}

static bool overlap(struct dh_symbol_local const *a, struct dh_symbol_local const *b) {
    return a->offset < b->offset + (int64_t)b->size && b->offset < a->offset + (int64_t)a->size;
}

/* The local at this distance from rbp. Variables of different scopes may share a place, and nothing
 * here tells which scope is open: then there is no answer. */
static struct dh_symbol_local const *local_at(struct dh_symbol_local const *locals, size_t count,
                                              int64_t distance) {
    struct dh_symbol_local const *found = 0;
    for (size_t i = 0; i < count; i++) {
        struct dh_symbol_local const *l = &locals[i];
        if (l->name && inside_frame(l) && distance >= l->offset
            && distance < l->offset + (int64_t)l->size)
            found = l;
    }
    for (size_t i = 0; i < count && found; i++)
        if (&locals[i] != found && overlap(&locals[i], found)) return 0;
    return found;
}

/* The frame of the finder's stack that holds the address: its frame pointer, and where it is
 * executing. The chain is followed only as far as it agrees with the recorded stack. */
static bool find_frame(struct dh_raw_race const *race, struct dh_modules const *modules,
                       uintptr_t *frame, uintptr_t *pc) {
    uint32_t count;
    uintptr_t const *pcs = dh_stack_pcs(race->sides[0].stack, &count);
    uintptr_t at = race->frame;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && !dh_follows_call(modules, pcs[i])) return false;
        if (race->address < at) {
            *frame = at;
            *pc = pcs[i] - 1;
            return true;
        }
        uintptr_t link[2]; /* the caller's frame pointer, the address to return to */
        if (i + 1 == count || !dh_memory_read(link, at, sizeof link)) return false;
        if (link[1] != pcs[i + 1] || link[0] <= at) return false;
        at = link[0];
    }
    return false;
}

static void find_local(struct dh_raw_race const *race, struct dh_modules const *modules,
                       struct dh_arena *arena, struct dh_object *object) {
    uintptr_t frame, pc;
    if (race->frame == 0 || race->sides[0].stack == 0 || !find_frame(race, modules, &frame, &pc))
        return;
    struct dh_module const *module = dh_module_of(modules, pc);
    /* Other compilers have other frame bases; what was built with deadheat was built by clang. */
    if (!module || !module->instrumented) return;
    uintptr_t entry = dh_symbols_code(module, pc, arena).entry;
    if (!keeps_frame_pointer(entry)) return;
    /* Asked at the entry, because inside an inlined call only that call's locals would be listed.
     */
    struct dh_symbol_local *locals = 0;
    size_t count = dh_symbols_locals(module, entry, arena, &locals);
    struct dh_symbol_local const *local = local_at(locals, count, (int64_t)(race->address - frame));
    if (!local) return;
    object->name = local->name;
    object->function = local->function;
    object->file = local->file;
    object->line = local->line;
    object->address = frame + (uintptr_t)local->offset;
    object->size = local->size;
}

/* ---- each sort of memory ---- */

static bool find_heap(uintptr_t address, struct dh_object *object, struct dh_owner *owner) {
    struct dh_block block = {0};
    if (!dh_heap_find(address, &block)) return false;
    object->memory = DH_MEMORY_HEAP;
    object->address = block.address;
    object->size = block.size;
    object->freed = block.freed;
    owner->thread = dh_thread_by_number(block.thread);
    owner->allocated = block.stack;
    return true;
}

/* The main thread's stack grows; the kernel knows how far it has got. */
static struct dh_thread *owner_of_stack(uintptr_t address, struct dh_modules const *modules) {
    struct dh_thread *owner = dh_thread_of_stack(address);
    if (owner) return owner;
    struct dh_mapping const *mapping = dh_mapping_of(modules, address);
    return mapping && dh_same_text(mapping->path, "[stack]") ? dh_thread_by_number(0) : 0;
}

static bool find_on_stack(struct dh_raw_race const *race, struct dh_modules const *modules,
                          struct dh_arena *arena, struct dh_object *object,
                          struct dh_owner *owner) {
    owner->thread = owner_of_stack(race->address, modules);
    if (!owner->thread) return false;
    struct dh_raw_thread thread = {0};
    dh_thread_describe(owner->thread, &thread);
    /* The C library keeps a thread's TLS at the end of the memory of its stack. */
    bool tls = race->address >= thread.tls_low && race->address < thread.tls_high;
    object->memory = tls ? DH_MEMORY_TLS : DH_MEMORY_STACK;
    if (!tls && owner->thread == race->sides[0].thread) find_local(race, modules, arena, object);
    return true;
}

static bool find_global(uintptr_t address, struct dh_modules const *modules, struct dh_arena *arena,
                        struct dh_object *object) {
    struct dh_module const *module = dh_module_of(modules, address);
    if (!module) return false;
    object->memory = DH_MEMORY_GLOBAL;
    object->module = module->path;
    object->module_offset = address - module->bias;
    struct dh_symbol_variable variable;
    if (!dh_symbols_variable(module, address, arena, &variable)) return true;
    object->name = variable.name;
    object->file = variable.file;
    object->line = variable.line;
    object->address = variable.address;
    object->size = variable.size;
    return true;
}

static void find_mapped(uintptr_t address, struct dh_modules const *modules,
                        struct dh_object *object) {
    struct dh_mapping const *mapping = dh_mapping_of(modules, address);
    if (!mapping) return;
    object->memory = DH_MEMORY_MAPPED;
    object->address = mapping->low;
    object->size = mapping->high - mapping->low;
    object->module = *mapping->path ? mapping->path : 0;
}

void dh_variable_find(struct dh_raw_race const *race, struct dh_modules const *modules,
                      struct dh_arena *arena, struct dh_object *object, struct dh_owner *owner) {
    *owner = (struct dh_owner){0};
    if (find_heap(race->address, object, owner)) return;
    if (find_on_stack(race, modules, arena, object, owner)) return;
    if (find_global(race->address, modules, arena, object)) return;
    find_mapped(race->address, modules, object);
}
