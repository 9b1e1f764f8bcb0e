#include "report/text.h"
#include "report/out.h"

struct writer {
    struct out out;
    enum dh_text_style style;
};

static char const bold_red[] = "\033[1;31m", bold[] = "\033[1m", blue[] = "\033[1;34m",
                  green[] = "\033[1;32m", plain[] = "\033[0m";

static void put(struct writer *w, char const *text) { out_text(&w->out, text); }
static void put_decimal(struct writer *w, uint64_t value) { out_decimal(&w->out, value); }
static void put_hex(struct writer *w, uint64_t value) { out_hex(&w->out, value); }
static void put_color(struct writer *w, char const *code) {
    if (w->style & DH_TEXT_COLOR) put(w, code);
}

/* A name that came from the program: it must not steer the terminal. */
static void put_name(struct writer *w, char const *name) {
    char const *from = name;
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        if (c >= ' ' && c != 0x7f) continue;
        out_bytes(&w->out, from, (size_t)(name - from));
        put(w, "?");
        from = name + 1;
    }
    out_bytes(&w->out, from, (size_t)(name - from));
}

static void put_quoted(struct writer *w, char const *name) {
    put(w, "'");
    put_name(w, name);
    put(w, "'");
}

static void put_place(struct writer *w, char const *file, uint32_t line, uint32_t column) {
    put_name(w, file);
    if (line == 0) return;
    put(w, ":");
    put_decimal(w, line);
    if (column == 0) return;
    put(w, ":");
    put_decimal(w, column);
}

/* "(module+0xoffset)" */
static void put_module(struct writer *w, struct dh_frame const *frame) {
    put(w, "(");
    if (frame->module) {
        put_name(w, out_basename(frame->module));
        put(w, "+");
        put_hex(w, frame->module_offset);
    } else {
        put_hex(w, frame->pc);
    }
    put(w, ")");
}

static void put_frame(struct writer *w, struct dh_frame const *frame, size_t number) {
    put(w, "    #");
    put_decimal(w, number);
    put(w, " ");
    if (frame->function) {
        put_name(w, frame->function);
        put(w, " ");
    }
    if (frame->file) {
        put_place(w, frame->file, frame->line, frame->column);
        put(w, " ");
    }
    put_module(w, frame);
    if (frame->unloaded) put(w, " [unloaded]");
    if (frame->inlined) put(w, " [inlined]");
    put(w, "\n");
}

static void put_stack(struct writer *w, struct dh_stack const *stack) {
    if (stack->count == 0) put(w, "    [stack no longer on record]\n");
    for (size_t i = 0; i < stack->count; i++)
        put_frame(w, &stack->frames[i], i);
    if (stack->count > 0 && stack->truncated) put(w, "    [more frames, not on record]\n");
    put(w, "\n");
}

static void put_thread(struct writer *w, struct dh_thread_info const *thread) {
    if (!thread->known) {
        put(w, "a thread no longer on record");
        return;
    }
    if (thread->number == 0) {
        put(w, "main thread");
    } else {
        put(w, "thread T");
        put_decimal(w, thread->number);
    }
    if (thread->name && thread->number != 0) {
        put(w, " ");
        put_quoted(w, thread->name);
    }
}

/* ---- the two sides ---- */

static char const *access_word(struct dh_side const *side, bool capital) {
    if (side->flags & DH_ACCESS_FREE) return capital ? "Free" : "free";
    if (side->flags & DH_ACCESS_ALLOC) return capital ? "Allocation" : "allocation";
    bool write = side->flags & DH_ACCESS_WRITE;
    if (side->flags & DH_ACCESS_ATOMIC) {
        if (write) return capital ? "Atomic write" : "atomic write";
        return capital ? "Atomic read" : "atomic read";
    }
    if (write) return capital ? "Write" : "write";
    return capital ? "Read" : "read";
}

static void put_mode(struct writer *w, struct dh_held_lock const *lock) {
    put(w, lock->mode == DH_LOCK_READ ? "read" : "write");
}

static void put_lock_name(struct writer *w, struct dh_held_lock const *lock) {
    put(w, "M");
    put_decimal(w, lock->number);
}

static void put_holding(struct writer *w, struct dh_side const *side) {
    if (!side->locks_known || side->lock_count == 0) return;
    put(w, side->lock_count == 1 ? " (holding lock " : " (holding locks ");
    for (size_t i = 0; i < side->lock_count; i++) {
        if (i > 0) put(w, ", ");
        put_lock_name(w, &side->locks[i]);
        put(w, " (");
        put_mode(w, &side->locks[i]);
        put(w, ")");
    }
    put(w, ")");
}

static void put_side(struct writer *w, struct dh_race const *race, int which) {
    struct dh_side const *side = &race->sides[which];
    put_color(w, blue);
    put(w, which == 0 ? "  " : "  Previous ");
    put(w, access_word(side, which == 0));
    if (side->size > 0) {
        put(w, " of size ");
        put_decimal(w, side->size);
    }
    put(w, " at ");
    put_hex(w, side->address ? side->address : race->address);
    if (side->field) {
        put(w, " (");
        put_name(w, side->field);
        put(w, ")");
    }
    put(w, " by ");
    put_thread(w, &side->thread);
    put_holding(w, side);
    put(w, ":");
    put_color(w, plain);
    put(w, "\n");
    put_stack(w, &side->stack);
}

/* Which bytes, where the race is not on the whole of each access. */

static bool extent_known(struct dh_race const *race, struct dh_side const *side) {
    return side->address != 0 && side->size > 0 && race->address >= side->address
           && race->address - side->address + race->bytes <= side->size;
}

static bool whole(struct dh_race const *race, struct dh_side const *side) {
    return side->address == race->address && side->size == race->bytes;
}

static void put_part(struct writer *w, struct dh_race const *race, struct dh_side const *side) {
    if (whole(race, side)) {
        put(w, "all");
    } else {
        uint64_t first = race->address - side->address;
        put(w, race->bytes == 1 ? "byte " : "bytes ");
        put_decimal(w, first);
        if (race->bytes > 1) {
            put(w, " to ");
            put_decimal(w, first + race->bytes - 1);
        }
    }
    put(w, " of the ");
    put(w, side == &race->sides[0] ? "" : "previous ");
    put(w, access_word(side, false));
}

static void put_bytes(struct writer *w, struct dh_race const *race) {
    if (race->bytes == 0) return;
    bool partial = false;
    for (int i = 0; i < 2; i++)
        partial |= extent_known(race, &race->sides[i]) && !whole(race, &race->sides[i]);
    if (!partial) return;
    put(w, "  The race is on ");
    put_decimal(w, race->bytes);
    put(w, race->bytes == 1 ? " byte at " : " bytes at ");
    put_hex(w, race->address);
    for (int i = 0, said = 0; i < 2; i++) {
        if (!extent_known(race, &race->sides[i])) continue;
        put(w, said++ == 0 ? ": " : ", ");
        put_part(w, race, &race->sides[i]);
    }
    put(w, ".\n\n");
}

/* ---- what the memory is ---- */

static void put_extent(struct writer *w, struct dh_race const *race) {
    struct dh_object const *object = &race->object;
    if (object->address == 0) return;
    put(w, " of size ");
    put_decimal(w, object->size);
    put(w, " at ");
    put_hex(w, object->address);
    if (race->address <= object->address) return;
    put(w, ", offset ");
    put_decimal(w, race->address - object->address);
}

static void put_declared(struct writer *w, struct dh_object const *object) {
    if (!object->file) return;
    put(w, ", declared at ");
    put_place(w, object->file, object->line, 0);
}

static void put_variable(struct writer *w, struct dh_race const *race, char const *sort) {
    put(w, sort);
    put_quoted(w, race->object.name);
    put_extent(w, race);
    if (race->object.field) {
        put(w, ", field ");
        put_name(w, race->object.field);
    }
}

static void put_global(struct writer *w, struct dh_race const *race) {
    struct dh_object const *object = &race->object;
    if (object->name) {
        put_variable(w, race, "global ");
        put_declared(w, object);
    } else {
        put(w, "global data");
    }
    if (object->module) {
        put(w, " (");
        put_name(w, out_basename(object->module));
        put(w, "+");
        put_hex(w, object->module_offset);
        put(w, ")");
    }
}

static void put_heap(struct writer *w, struct dh_race const *race) {
    put(w, race->object.freed ? "freed heap block" : "heap block");
    put_extent(w, race);
    put(w, ", allocated by ");
    put_thread(w, &race->object.thread);
}

static void put_local(struct writer *w, struct dh_race const *race) {
    struct dh_object const *object = &race->object;
    if (object->name) {
        put_variable(w, race, "local variable ");
        if (object->function) {
            put(w, ", in function ");
            put_name(w, object->function);
        }
        put_declared(w, object);
        put(w, ", on the ");
    }
    put(w, "stack of ");
    put_thread(w, &object->thread);
}

static void put_mapped(struct writer *w, struct dh_race const *race) {
    put(w, "mapped memory");
    put_extent(w, race);
    if (!race->object.module) return;
    put(w, ", from ");
    put_name(w, race->object.module);
}

static void put_location(struct writer *w, struct dh_race const *race) {
    if (race->object.memory == DH_MEMORY_UNKNOWN) return;
    put_color(w, green);
    put(w, "  Location is ");
    switch (race->object.memory) {
    case DH_MEMORY_GLOBAL: put_global(w, race); break;
    case DH_MEMORY_HEAP: put_heap(w, race); break;
    case DH_MEMORY_STACK: put_local(w, race); break;
    case DH_MEMORY_TLS:
        put(w, "thread-local storage of ");
        put_thread(w, &race->object.thread);
        break;
    case DH_MEMORY_MAPPED: put_mapped(w, race); break;
    case DH_MEMORY_UNKNOWN: break;
    }
    bool stack = race->object.memory == DH_MEMORY_HEAP;
    put(w, stack ? " at:" : ".");
    put_color(w, plain);
    put(w, "\n");
    if (stack)
        put_stack(w, &race->object.allocated);
    else
        put(w, "\n");
}

/* ---- locks ---- */

static struct dh_held_lock const *find_lock(struct dh_side const *side, uint64_t address) {
    for (size_t i = 0; i < side->lock_count; i++)
        if (side->locks[i].address == address) return &side->locks[i];
    return 0;
}

static void put_common(struct writer *w, struct dh_race const *race) {
    struct dh_side const *a = &race->sides[0], *b = &race->sides[1];
    bool first = true, readers = true;
    for (size_t i = 0; i < a->lock_count; i++) {
        struct dh_held_lock const *other = find_lock(b, a->locks[i].address);
        if (!other) continue;
        put(w, first ? "  Both sides hold " : ", ");
        put_lock_name(w, other);
        put(w, " (");
        put_mode(w, &a->locks[i]);
        put(w, ", ");
        put_mode(w, other);
        put(w, ")");
        readers &= a->locks[i].mode == DH_LOCK_READ && other->mode == DH_LOCK_READ;
        first = false;
    }
    if (first)
        put(w, "  The two sides share no lock");
    else if (readers)
        put(w, ", but only for reading: readers do not exclude each other");
    put(w, ".\n\n");
}

static void put_lock(struct writer *w, struct dh_side const *side,
                     struct dh_held_lock const *lock) {
    put_color(w, bold);
    put(w, "  Lock ");
    put_lock_name(w, lock);
    if (lock->variable) {
        put(w, " ");
        put_quoted(w, lock->variable);
    }
    put(w, " at ");
    put_hex(w, lock->address);
    put(w, " taken by ");
    put_thread(w, &side->thread);
    put(w, " at:");
    put_color(w, plain);
    put(w, "\n");
    put_stack(w, &lock->acquired);
}

static void put_locks(struct writer *w, struct dh_race const *race) {
    struct dh_side const *a = &race->sides[0], *b = &race->sides[1];
    if (a->locks_known && b->locks_known) {
        if (a->lock_count + b->lock_count == 0)
            put(w, "  Neither side holds a lock.\n\n");
        else
            put_common(w, race);
    } else {
        put(w, "  The locks held by ");
        put(w, a->locks_known   ? "the previous access"
               : b->locks_known ? "the access"
                                : "either side");
        put(w, " are no longer on record.\n\n");
    }
    for (int which = 0; which < 2; which++)
        for (size_t i = 0; race->sides[which].locks_known && i < race->sides[which].lock_count; i++)
            put_lock(w, &race->sides[which], &race->sides[which].locks[i]);
}

/* ---- threads ---- */

static void put_creation(struct writer *w, struct dh_thread_info const *thread) {
    put_color(w, bold);
    put(w, "  Thread T");
    put_decimal(w, thread->number);
    if (thread->name) {
        put(w, " ");
        put_quoted(w, thread->name);
    }
    put(w, " (tid=");
    put_decimal(w, thread->os_id);
    put(w, thread->running ? ", running) created by " : ", finished) created by ");
    if (thread->creator == 0) {
        put(w, "main thread");
    } else {
        put(w, "thread T");
        put_decimal(w, thread->creator);
    }
    put(w, " at:");
    put_color(w, plain);
    put(w, "\n");
    put_stack(w, &thread->created);
}

static void put_threads(struct writer *w, struct dh_race const *race) {
    struct dh_thread_info const *threads[3] = {&race->sides[0].thread, &race->sides[1].thread,
                                               &race->object.thread};
    for (int i = 0; i < 3; i++) {
        bool again = !threads[i]->known || threads[i]->number == 0;
        for (int j = 0; j < i; j++)
            again |= threads[j]->known && threads[j]->number == threads[i]->number;
        if (!again) put_creation(w, threads[i]);
    }
}

/* ---- modules that deadheat did not build ---- */

static bool foreign_before(struct dh_race const *race, int which, size_t frame) {
    char const *module = race->sides[which].stack.frames[frame].module;
    for (int side = 0; side <= which; side++) {
        struct dh_stack const *stack = &race->sides[side].stack;
        size_t count = side < which ? stack->count : frame;
        for (size_t i = 0; i < count; i++)
            if (dh_stack_foreign(stack, i) && out_same(stack->frames[i].module, module))
                return true;
    }
    return false;
}

static void put_foreign(struct writer *w, struct dh_race const *race) {
    bool any = false;
    for (int which = 0; which < 2; which++) {
        struct dh_stack const *stack = &race->sides[which].stack;
        for (size_t i = 0; i < stack->count; i++) {
            if (!dh_stack_foreign(stack, i) || foreign_before(race, which, i)) continue;
            put(w, any ? ", " : "  The stacks pass through modules not built with deadheat: ");
            put_name(w, out_basename(stack->frames[i].module));
            any = true;
        }
    }
    if (any)
        put(w, ". Their own accesses are not seen, and what "
               "orders them inside may not be.\n\n");
}

/* ---- the whole ---- */

static void put_summary(struct writer *w, struct dh_race const *race) {
    put(w, "SUMMARY: Deadheat: data race");
    struct dh_stack const *stack = &race->sides[0].stack;
    if (stack->count == 0) stack = &race->sides[1].stack;
    if (stack->count > 0) {
        struct dh_frame const *frame = &stack->frames[0];
        put(w, " ");
        if (frame->file)
            put_place(w, frame->file, frame->line, frame->column);
        else
            put_module(w, frame);
        if (frame->function) {
            put(w, " in ");
            put_name(w, frame->function);
        }
    }
    put(w, "\n");
}

void dh_race_text(struct dh_race const *race, enum dh_text_style style, dh_sink *sink, void *to) {
    struct writer writer = {{sink, to}, style}, *w = &writer;
    put(w, "==================\n");
    put_color(w, bold_red);
    put(w, "WARNING: Deadheat: data race (pid=");
    put_decimal(w, race->pid);
    put(w, ")");
    put_color(w, plain);
    put(w, "\n");
    put_side(w, race, 0);
    put_side(w, race, 1);
    put_bytes(w, race);
    put_location(w, race);
    put_locks(w, race);
    put_threads(w, race);
    put_foreign(w, race);
    put(w, "  Fingerprint: ");
    out_number(&w->out, race->fingerprint, 16, 16);
    put(w, "\n\n");
    put_color(w, bold);
    put_summary(w, race);
    put_color(w, plain);
    put(w, "==================\n");
}
