#include "rt/describe.h"
#include "rt/libraries.h"
#include "rt/symbols.h"
#include "rt/variables.h"

#include <sys/syscall.h>

struct description {
    struct dh_modules modules;
    struct dh_arena *arena;
};

/* ---- stacks ---- */

static bool starts_with(char const *text, char const *start, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (text[i] != start[i]) return false; /* also at the end of the text */
    return true;
}

/* A frame from before the program's code: the runtime's function under which every thread and
 * handler of the program runs, or the C library's. A program may use the same names, so it takes
 * more than that. */
static bool is_beginning(struct dh_frame const *frame) {
    static char const here[] = __FILE__, name[] = "describe.c";
    size_t directory = sizeof here - sizeof name;
    if (frame->file && directory > 0 && starts_with(frame->file, here, directory)) return true;
    char const *function = frame->function;
    if (!function) return false;
    if (frame->instrumented) return starts_with(function, "__dh_", 5);
    return starts_with(function, "__libc_start_", 13) || dh_same_text(function, "start_thread")
           || dh_same_text(function, "_start");
}

/* The library, unloaded since, that an address of this stack is in; null if it is in what is there
 * now. */
static struct dh_module const *unloaded_of(struct description *d, dh_stack_id stack, uintptr_t pc) {
    struct dh_unloaded const *gone = dh_unloaded_find(stack, pc);
    if (!gone) return 0;
    bool intact = dh_unloaded_intact(gone);
    struct dh_module const *now = dh_module_of(&d->modules, pc - 1);
    if (now && intact && now->bias == gone->bias && dh_same_text(now->path, gone->path)) return 0;
    struct dh_module *module = dh_arena_alloc(d->arena, sizeof *module);
    *module = (struct dh_module){.path = gone->path,
                                 .file = intact ? gone->path : 0,
                                 .low = gone->low,
                                 .high = gone->high,
                                 .bias = gone->bias,
                                 .instrumented = true};
    return module;
}

/* How many of the return addresses to believe. Code without frame pointers breaks the chain, and
 * what follows may be anything: the first address that no call returns to ends it. */
static uint32_t believable(struct description const *d, dh_stack_id stack, uintptr_t const *pcs,
                           uint32_t count) {
    for (uint32_t i = 1; i < count; i++)
        if (!dh_follows_call(&d->modules, pcs[i]) && !dh_unloaded_find(stack, pcs[i])) return i;
    return count;
}

/* The source-level frames of one return address; at least one. */
static struct dh_symbol_frames frames_of(struct description *d, dh_stack_id stack,
                                         uintptr_t address) {
    uintptr_t pc = address - 1;
    struct dh_module const *gone = unloaded_of(d, stack, address);
    struct dh_module const *module = gone ? gone : dh_module_of(&d->modules, pc);
    struct dh_symbol_frames result = {0};
    if (module) result = dh_symbols_code(module, pc, d->arena);
    if (result.count == 0) {
        result.frames = dh_arena_alloc(d->arena, sizeof *result.frames);
        result.count = 1;
    }
    for (size_t i = 0; i < result.count; i++) {
        struct dh_frame *frame = &result.frames[i];
        frame->pc = pc;
        if (!module) continue;
        frame->module = module->path;
        frame->module_offset = pc - module->bias;
        frame->instrumented = module->instrumented;
        frame->unloaded = gone != 0;
    }
    return result;
}

/* Leaves out how threads and programs are started: what is outside main, or outside the function
 * that a thread was created with. */
static void trim(struct dh_stack *stack) {
    for (size_t i = 0; i < stack->count; i++) {
        struct dh_frame const *frame = &stack->frames[i];
        bool is_main = frame->function && dh_same_text(frame->function, "main");
        if (!is_main && (i == 0 || !is_beginning(frame))) continue;
        stack->count = is_main ? i + 1 : i;
        stack->truncated = false;
        return;
    }
    /* No beginning was found. If the outermost frame is foreign code, the chain broke there. */
    struct dh_frame const *outermost = &stack->frames[stack->count - 1];
    if (stack->frames[0].function && outermost->module && !outermost->instrumented)
        stack->truncated = true;
}

/* Where the chain ends there is nothing more to follow: a context of makecontext begins there. */
static bool is_bottom(struct description *d, uintptr_t pc) {
    struct dh_module const *module = dh_module_of(&d->modules, pc);
    if (!module || module->instrumented) return false;
    struct dh_symbol_frames at = dh_symbols_code(module, pc, d->arena);
    return at.count > 0 && at.frames[0].function
           && dh_same_text(at.frames[0].function, "__start_context");
}

/* `age` is a stack that was taken when this one was. */
static void describe_stack_of(struct description *d, dh_stack_id id, dh_stack_id age,
                              struct dh_stack *to) {
    uint32_t recorded = 0;
    uintptr_t const *pcs = id ? dh_stack_pcs(id, &recorded) : 0;
    if (!pcs || recorded == 0) return;
    uint32_t count = believable(d, age, pcs, recorded);
    struct dh_symbol_frames *parts = dh_arena_alloc(d->arena, count * sizeof *parts);
    size_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = frames_of(d, age, pcs[i]);
        total += parts[i].count;
    }
    struct dh_frame *frames = dh_arena_alloc(d->arena, total * sizeof *frames);
    to->frames = frames;
    to->count = total;
    to->truncated = count < recorded ? !is_bottom(d, pcs[count]) : recorded == DH_STACK_MAX;
    for (uint32_t i = 0; i < count; i++) {
        dh_copy(frames, parts[i].frames, parts[i].count * sizeof *frames);
        frames += parts[i].count;
    }
    trim(to);
}

static void describe_stack(struct description *d, dh_stack_id id, struct dh_stack *to) {
    describe_stack_of(d, id, id, to);
}

/* ---- threads and locks ---- */

static void describe_thread(struct description *d, struct dh_thread const *thread,
                            struct dh_thread_info *to) {
    if (!thread) return;
    struct dh_raw_thread raw = {0};
    dh_thread_describe(thread, &raw);
    to->known = true;
    to->number = raw.number;
    to->creator = raw.creator;
    to->os_id = raw.os_id;
    to->running = raw.running;
    size_t length = 0;
    while (length < sizeof raw.name && raw.name[length])
        length++;
    if (length > 0) to->name = dh_arena_text(d->arena, raw.name, length);
    if (raw.number != 0) describe_stack(d, raw.created, &to->created);
}

/* Locks are named M1, M2, ... in the order in which reports speak of them, by address, for good. */
static uint32_t lock_number(uintptr_t address) {
    static struct numbered {
        uintptr_t address;
        uint32_t number;
        struct numbered *next;
    } * buckets[256];
    static uint32_t last;
    struct numbered **bucket = &buckets[(address >> 3 ^ address >> 11) % 256];
    for (struct numbered *n = *bucket; n; n = n->next)
        if (n->address == address) return n->number;
    struct numbered *new = dh_alloc(sizeof *new);
    *new = (struct numbered){address, ++last, *bucket};
    *bucket = new;
    return new->number;
}

static void describe_lock(struct description *d, struct dh_raw_lock const *raw,
                          struct dh_held_lock *to) {
    to->address = raw->address;
    to->number = lock_number(raw->address);
    to->mode = raw->reader ? DH_LOCK_READ : DH_LOCK_WRITE;
    struct dh_module const *module = dh_module_of(&d->modules, raw->address);
    struct dh_symbol_variable variable;
    if (module && dh_symbols_variable(module, raw->address, d->arena, &variable))
        to->variable = variable.name;
    describe_stack(d, raw->stack, &to->acquired);
}

static uint32_t count_common(struct dh_side const *a, struct dh_side const *b) {
    uint32_t common = 0;
    for (size_t i = 0; i < a->lock_count; i++)
        for (size_t j = 0; j < b->lock_count; j++)
            common += a->locks[i].address == b->locks[j].address;
    return common;
}

/* ---- the race ---- */

static void describe_side(struct description *d, struct dh_raw_side const *raw,
                          struct dh_side *to) {
    to->flags = raw->flags;
    to->address = raw->address;
    to->size = raw->size;
    describe_thread(d, raw->thread, &to->thread);
    describe_stack_of(d, raw->stack, dh_raw_age(raw), &to->stack);
    if (to->stack.count > 0) {
        struct dh_frame const *top = &to->stack.frames[0];
        struct dh_module const *module = dh_module_of(&d->modules, top->pc);
        if (module && !top->unloaded)
            to->field = dh_module_field(module, d->arena, top->file, top->line, top->column);
    }
    to->locks_known = raw->locks_known;
    uint32_t count = raw->lock_count < DH_RAW_LOCKS_MAX ? raw->lock_count : DH_RAW_LOCKS_MAX;
    if (!raw->locks_known || count == 0) return;
    struct dh_held_lock *locks = dh_arena_alloc(d->arena, count * sizeof *locks);
    for (uint32_t i = 0; i < count; i++)
        describe_lock(d, &raw->locks[i], &locks[i]);
    to->locks = locks;
    to->lock_count = count;
}

void dh_describe_race(struct dh_raw_race const *raw, struct dh_arena *arena, struct dh_race *race) {
    struct description d = {.arena = arena};
    dh_modules_read(&d.modules, arena);
    dh_fill(race, 0, sizeof *race);
    race->pid = (uint64_t)dh_syscall(SYS_getpid);
    race->address = raw->address;
    race->bytes = raw->bytes;
    for (int i = 0; i < 2; i++)
        describe_side(&d, &raw->sides[i], &race->sides[i]);
    race->common_locks = count_common(&race->sides[0], &race->sides[1]);
    struct dh_owner owner;
    dh_variable_find(raw, &d.modules, arena, &race->object, &owner);
    describe_thread(&d, owner.thread, &race->object.thread);
    describe_stack(&d, owner.allocated, &race->object.allocated);
}

/* ---- file names ---- */

static void strip_name(char const **file, char const *prefix) {
    size_t length = dh_length(prefix);
    if (*file && starts_with(*file, prefix, length) && (*file)[length]) *file += length;
}

/* The frames of each stack are its own, made above: only the view of them in the record is const.
 */
static void strip_stack(struct dh_stack *stack, char const *prefix) {
    for (size_t i = 0; i < stack->count; i++)
        strip_name(&((struct dh_frame *)stack->frames)[i].file, prefix);
}

void dh_describe_strip(struct dh_race *race, char const *prefix) {
    if (*prefix == 0) return;
    for (int i = 0; i < 2; i++) {
        struct dh_side *side = &race->sides[i];
        strip_stack(&side->stack, prefix);
        strip_stack(&side->thread.created, prefix);
        for (size_t j = 0; j < side->lock_count; j++)
            strip_stack(&((struct dh_held_lock *)side->locks)[j].acquired, prefix);
    }
    strip_stack(&race->object.thread.created, prefix);
    strip_stack(&race->object.allocated, prefix);
    strip_name(&race->object.file, prefix);
}
