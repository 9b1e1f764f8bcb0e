#include "report/json.h"
#include "report/out.h"

struct writer {
    struct out out;
    bool first; /* nothing yet in the object or array that is open: no comma */
};

/* ---- JSON itself ---- */

static void put(struct writer *w, char const *text) { out_text(&w->out, text); }

static void separate(struct writer *w) {
    if (!w->first) put(w, ",");
    w->first = false;
}

static void open_with(struct writer *w, char const *bracket) {
    put(w, bracket);
    w->first = true;
}

static void close_with(struct writer *w, char const *bracket) {
    put(w, bracket);
    w->first = false;
}

static void key(struct writer *w, char const *name) {
    separate(w);
    put(w, "\"");
    put(w, name);
    put(w, "\":");
}

/* How many bytes at s are one well-formed UTF-8 character (Unicode 15, table 3-7); 0 if none. */
static size_t utf8_length(unsigned char const *s) {
    unsigned char low = 0x80, high = 0xbf;
    size_t length;
    if (s[0] < 0x80) return 1;
    if (s[0] >= 0xc2 && s[0] <= 0xdf) {
        length = 2;
    } else if (s[0] >= 0xe0 && s[0] <= 0xef) {
        length = 3;
        if (s[0] == 0xe0) low = 0xa0;
        if (s[0] == 0xed) high = 0x9f;
    } else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
        length = 4;
        if (s[0] == 0xf0) low = 0x90;
        if (s[0] == 0xf4) high = 0x8f;
    } else {
        return 0;
    }
    for (size_t i = 1; i < length; i++, low = 0x80, high = 0xbf)
        if (s[i] < low || s[i] > high) return 0; /* also at the end of the string */
    return length;
}

static void string(struct writer *w, char const *text) {
    if (!text) {
        put(w, "null");
        return;
    }
    put(w, "\"");
    for (unsigned char const *s = (unsigned char const *)text; *s;) {
        size_t length = utf8_length(s);
        if (length == 0) {
            put(w, "\\ufffd");
            s++;
        } else if (*s == '"' || *s == '\\') {
            put(w, "\\");
            out_bytes(&w->out, (char const *)s++, 1);
        } else if (*s < ' ' || *s == 0x7f) {
            put(w, "\\u");
            out_number(&w->out, *s++, 16, 4);
        } else {
            out_bytes(&w->out, (char const *)s, length);
            s += length;
        }
    }
    put(w, "\"");
}

static void text_member(struct writer *w, char const *name, char const *text) {
    key(w, name);
    string(w, text);
}

static void number_member(struct writer *w, char const *name, uint64_t value) {
    key(w, name);
    out_decimal(&w->out, value);
}

/* A number of which 0 means unknown. */
static void positive_member(struct writer *w, char const *name, uint64_t value) {
    key(w, name);
    if (value == 0)
        put(w, "null");
    else
        out_decimal(&w->out, value);
}

static void hex_member(struct writer *w, char const *name, bool known, uint64_t value) {
    key(w, name);
    if (!known) {
        put(w, "null");
        return;
    }
    put(w, "\"");
    out_hex(&w->out, value);
    put(w, "\"");
}

/* An address of which 0 means unknown. */
static void address_member(struct writer *w, char const *name, uint64_t address) {
    hex_member(w, name, address != 0, address);
}

static void bool_member(struct writer *w, char const *name, bool value) {
    key(w, name);
    put(w, value ? "true" : "false");
}

/* ---- the parts of a race ---- */

static void frame(struct writer *w, struct dh_frame const *f) {
    separate(w);
    open_with(w, "{");
    text_member(w, "function", f->function);
    text_member(w, "file", f->file);
    positive_member(w, "line", f->line);
    positive_member(w, "column", f->column);
    positive_member(w, "start_line", f->start_line);
    text_member(w, "module", f->module);
    hex_member(w, "module_offset", f->module, f->module_offset);
    address_member(w, "pc", f->pc);
    bool_member(w, "inlined", f->inlined);
    bool_member(w, "instrumented", f->instrumented);
    close_with(w, "}");
}

/* null if it is no longer on record */
static void stack_member(struct writer *w, char const *name, struct dh_stack const *stack) {
    key(w, name);
    if (stack->count == 0) {
        put(w, "null");
        return;
    }
    open_with(w, "{");
    bool_member(w, "truncated", stack->truncated);
    key(w, "frames");
    open_with(w, "[");
    for (size_t i = 0; i < stack->count; i++)
        frame(w, &stack->frames[i]);
    close_with(w, "]");
    close_with(w, "}");
}

static void thread_member(struct writer *w, char const *name, struct dh_thread_info const *thread) {
    key(w, name);
    if (!thread->known) {
        put(w, "null");
        return;
    }
    open_with(w, "{");
    number_member(w, "number", thread->number);
    number_member(w, "os_id", thread->os_id);
    text_member(w, "name", thread->name);
    bool_member(w, "running", thread->running);
    key(w, "creator");
    if (thread->number == 0)
        put(w, "null");
    else
        out_decimal(&w->out, thread->creator);
    stack_member(w, "created", &thread->created);
    close_with(w, "}");
}

static void lock(struct writer *w, struct dh_held_lock const *held) {
    separate(w);
    open_with(w, "{");
    number_member(w, "number", held->number);
    address_member(w, "address", held->address);
    text_member(w, "mode", held->mode == DH_LOCK_READ ? "read" : "write");
    text_member(w, "variable", held->variable);
    stack_member(w, "acquired", &held->acquired);
    close_with(w, "}");
}

static void locks_member(struct writer *w, struct dh_side const *side) {
    key(w, "locks");
    if (!side->locks_known) {
        put(w, "null");
        return;
    }
    open_with(w, "[");
    for (size_t i = 0; i < side->lock_count; i++)
        lock(w, &side->locks[i]);
    close_with(w, "]");
}

static void side(struct writer *w, struct dh_side const *s) {
    separate(w);
    open_with(w, "{");
    text_member(w, "access", s->flags & DH_ACCESS_WRITE ? "write" : "read");
    bool_member(w, "atomic", s->flags & DH_ACCESS_ATOMIC);
    bool_member(w, "free", s->flags & DH_ACCESS_FREE);
    bool_member(w, "allocation", s->flags & DH_ACCESS_ALLOC);
    address_member(w, "address", s->address);
    positive_member(w, "size", s->size);
    text_member(w, "field", s->field);
    thread_member(w, "thread", &s->thread);
    stack_member(w, "stack", &s->stack);
    locks_member(w, s);
    close_with(w, "}");
}

static void location(struct writer *w, struct dh_object const *object) {
    static char const *const memory[] = {
        [DH_MEMORY_UNKNOWN] = "unknown", [DH_MEMORY_GLOBAL] = "global",
        [DH_MEMORY_HEAP] = "heap",       [DH_MEMORY_STACK] = "stack",
        [DH_MEMORY_TLS] = "tls",         [DH_MEMORY_MAPPED] = "mapped",
    };
    open_with(w, "{");
    text_member(w, "memory", memory[object->memory]);
    address_member(w, "address", object->address);
    positive_member(w, "size", object->size);
    text_member(w, "name", object->name);
    text_member(w, "field", object->field);
    text_member(w, "file", object->file);
    positive_member(w, "line", object->line);
    text_member(w, "function", object->function);
    text_member(w, "module", object->module);
    hex_member(w, "module_offset", object->memory == DH_MEMORY_GLOBAL, object->module_offset);
    bool_member(w, "freed", object->freed);
    thread_member(w, "thread", &object->thread);
    stack_member(w, "allocated", &object->allocated);
    close_with(w, "}");
}

void dh_race_json(struct dh_race const *race, dh_sink *sink, void *to) {
    struct writer writer = {{sink, to}, true}, *w = &writer;
    open_with(w, "{");
    text_member(w, "schema", "deadheat-race/1");
    number_member(w, "number", race->number);
    number_member(w, "pid", race->pid);
    key(w, "fingerprint");
    put(w, "\"");
    out_number(&w->out, race->fingerprint, 16, 16);
    put(w, "\"");
    address_member(w, "address", race->address);
    number_member(w, "bytes", race->bytes);
    key(w, "sides");
    open_with(w, "[");
    side(w, &race->sides[0]);
    side(w, &race->sides[1]);
    close_with(w, "]");
    number_member(w, "common_locks", race->common_locks);
    key(w, "location");
    location(w, &race->object);
    close_with(w, "}");
    put(w, "\n");
}
