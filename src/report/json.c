#include "report/json.h"
#include "report/json_out.h"

/* ---- the parts of a race ---- */

static void frame(struct json_writer *w, struct dh_frame const *f) {
    json_separate(w);
    json_open(w, "{");
    json_text(w, "function", f->function);
    json_text(w, "file", f->file);
    json_positive(w, "line", f->line);
    json_positive(w, "column", f->column);
    json_positive(w, "start_line", f->start_line);
    json_text(w, "module", f->module);
    json_hex(w, "module_offset", f->module, f->module_offset);
    json_address(w, "pc", f->pc);
    json_bool(w, "inlined", f->inlined);
    json_bool(w, "instrumented", f->instrumented);
    json_bool(w, "unloaded", f->unloaded);
    json_close(w, "}");
}

/* null if it is no longer on record */
static void stack_member(struct json_writer *w, char const *name, struct dh_stack const *stack) {
    json_key(w, name);
    if (stack->count == 0) {
        json_put(w, "null");
        return;
    }
    json_open(w, "{");
    json_bool(w, "truncated", stack->truncated);
    json_key(w, "frames");
    json_open(w, "[");
    for (size_t i = 0; i < stack->count; i++)
        frame(w, &stack->frames[i]);
    json_close(w, "]");
    json_close(w, "}");
}

static void thread_member(struct json_writer *w, char const *name,
                          struct dh_thread_info const *thread) {
    json_key(w, name);
    if (!thread->known) {
        json_put(w, "null");
        return;
    }
    json_open(w, "{");
    json_number(w, "number", thread->number);
    json_number(w, "os_id", thread->os_id);
    json_text(w, "name", thread->name);
    json_bool(w, "running", thread->running);
    json_key(w, "creator");
    if (thread->number == 0)
        json_put(w, "null");
    else
        out_decimal(&w->out, thread->creator);
    stack_member(w, "created", &thread->created);
    json_close(w, "}");
}

static void lock(struct json_writer *w, struct dh_held_lock const *held) {
    json_separate(w);
    json_open(w, "{");
    json_number(w, "number", held->number);
    json_address(w, "address", held->address);
    json_text(w, "mode", held->mode == DH_LOCK_READ ? "read" : "write");
    json_text(w, "variable", held->variable);
    stack_member(w, "acquired", &held->acquired);
    json_close(w, "}");
}

static void locks_member(struct json_writer *w, struct dh_side const *side) {
    json_key(w, "locks");
    if (!side->locks_known) {
        json_put(w, "null");
        return;
    }
    json_open(w, "[");
    for (size_t i = 0; i < side->lock_count; i++)
        lock(w, &side->locks[i]);
    json_close(w, "]");
}

/* The innermost frame in code not built with deadheat that the access was reached through, or
 * null. */
static void foreign_member(struct json_writer *w, struct dh_stack const *stack) {
    size_t i = 0;
    while (i < stack->count && !dh_stack_foreign(stack, i))
        i++;
    json_key(w, "foreign");
    if (i == stack->count) {
        json_put(w, "null");
        return;
    }
    json_open(w, "{");
    json_number(w, "frame", i);
    json_text(w, "module", stack->frames[i].module);
    json_close(w, "}");
}

static void side(struct json_writer *w, struct dh_side const *s) {
    json_separate(w);
    json_open(w, "{");
    json_text(w, "access", s->flags & DH_ACCESS_WRITE ? "write" : "read");
    json_bool(w, "atomic", s->flags & DH_ACCESS_ATOMIC);
    json_bool(w, "free", s->flags & DH_ACCESS_FREE);
    json_bool(w, "allocation", s->flags & DH_ACCESS_ALLOC);
    json_address(w, "address", s->address);
    json_positive(w, "size", s->size);
    json_text(w, "field", s->field);
    thread_member(w, "thread", &s->thread);
    stack_member(w, "stack", &s->stack);
    foreign_member(w, &s->stack);
    locks_member(w, s);
    json_close(w, "}");
}

static void location(struct json_writer *w, struct dh_object const *object) {
    static char const *const memory[] = {
        [DH_MEMORY_UNKNOWN] = "unknown", [DH_MEMORY_GLOBAL] = "global",
        [DH_MEMORY_HEAP] = "heap",       [DH_MEMORY_STACK] = "stack",
        [DH_MEMORY_TLS] = "tls",         [DH_MEMORY_MAPPED] = "mapped",
    };
    json_open(w, "{");
    json_text(w, "memory", memory[object->memory]);
    json_address(w, "address", object->address);
    json_positive(w, "size", object->size);
    json_text(w, "name", object->name);
    json_text(w, "field", object->field);
    json_text(w, "file", object->file);
    json_positive(w, "line", object->line);
    json_text(w, "function", object->function);
    json_text(w, "module", object->module);
    json_hex(w, "module_offset", object->memory == DH_MEMORY_GLOBAL, object->module_offset);
    json_bool(w, "freed", object->freed);
    thread_member(w, "thread", &object->thread);
    stack_member(w, "allocated", &object->allocated);
    json_close(w, "}");
}

void dh_race_json(struct dh_race const *race, dh_sink *sink, void *to) {
    struct json_writer writer = {{sink, to}, true}, *w = &writer;
    json_open(w, "{");
    json_text(w, "schema", "deadheat-race/1");
    json_number(w, "number", race->number);
    json_number(w, "pid", race->pid);
    json_key(w, "fingerprint");
    json_put(w, "\"");
    out_number(&w->out, race->fingerprint, 16, 16);
    json_put(w, "\"");
    json_address(w, "address", race->address);
    json_number(w, "bytes", race->bytes);
    json_key(w, "sides");
    json_open(w, "[");
    side(w, &race->sides[0]);
    side(w, &race->sides[1]);
    json_close(w, "]");
    json_number(w, "common_locks", race->common_locks);
    json_key(w, "location");
    location(w, &race->object);
    json_close(w, "}");
    json_put(w, "\n");
}
