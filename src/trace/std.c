/* Reading the STD form of the RAPID tools: THREAD|OPERATION(OPERAND)|PLACE.
 *
 * Names become numbers in the order of their first use. What that form leaves unsaid is put in: the
 * exit of a thread before its first join, and a fork of threads that nobody forks by a thread 0
 * that does nothing else. One line so gives up to four events, which wait in a queue.
 */
#include "trace/lines.h"
#include "trace/format.h"

#include <stdlib.h>
#include <string.h>

/* Threads, locks, variables and places are told apart by their first byte in the table of names. */
enum space { THREAD = 't', LOCK = 'l', VARIABLE = 'v', PLACE = 'p' };

struct known {
    char *text; /* the space, then the name */
    size_t length;
    uint64_t number; /* from 1 in each space */
    bool exited;     /* of threads */
    uint32_t holder; /* of locks: a thread, and how often it has taken it */
    uint64_t depth;
};

struct std_reader {
    struct dh_trace_reader base;
    struct dh_lines lines;
    struct dh_table ids; /* (hash, how many names before had that hash): index in known + 1 */
    struct known *known;
    size_t count, room;
    uint64_t used[256]; /* how many numbers, by space */
    struct dh_trace_event queue[4];
    unsigned first, last; /* of the queue */
};

/* Variables begin here, eight bytes each; locks have the same numbers as nothing else has. */
#define FIRST_VARIABLE UINT64_C(0x10000)

static uint64_t hash(char const *text, size_t length) { return dh_checksum(text, length); }

/* The name's record, valid until the next call; *new if this is its first use. */
static struct known *know(struct std_reader *r, enum space space, struct dh_word name, bool *new) {
    char text[DH_LINE_MAX + 1];
    size_t length = name.length + 1;
    text[0] = (char)space;
    memcpy(text + 1, name.text, name.length);
    uint64_t h = hash(text, length);
    *new = false;
    for (uint64_t i = 0;; i++) {
        uint64_t *id = dh_table_at(&r->ids, h, i);
        if (*id != 0) {
            struct known *k = &r->known[*id - 1];
            if (k->length == length && memcmp(k->text, text, length) == 0) return k;
            continue;
        }
        r->known = dh_trace_grow(r->known, r->count, &r->room, sizeof *r->known);
        struct known *k = &r->known[r->count];
        *k = (struct known){.text = dh_trace_memory(length), .length = length};
        memcpy(k->text, text, length);
        k->number = ++r->used[space];
        *id = ++r->count;
        *new = true;
        return k;
    }
}

static void put(struct std_reader *r, enum dh_op op, uint64_t thread, uint64_t address,
                uint64_t size, uint32_t site) {
    r->queue[r->last++] = (struct dh_trace_event){
        .op = op, .thread = (uint32_t)thread, .address = address, .size = size, .site = site};
}

/* A thread that acts or is joined, and that nobody forked, is forked by thread 0. */
static struct known *thread_of(struct std_reader *r, struct dh_word name) {
    bool new;
    struct known *thread = know(r, THREAD, name, &new);
    if (new) put(r, DH_OP_FORK, 0, thread->number, 0, 0);
    return thread;
}

static void lock_event(struct std_reader *r, bool take, uint64_t thread, struct dh_word operand,
                       uint32_t site) {
    bool new;
    struct known *lock = know(r, LOCK, operand, &new);
    bool again = lock->depth > 0 && lock->holder == thread;
    if (take) {
        if (!again) put(r, DH_OP_ACQUIRE, thread, lock->number, 0, site);
        if (lock->depth == 0) lock->holder = (uint32_t)thread;
        lock->depth++;
    } else {
        if (!again || lock->depth == 1) put(r, DH_OP_RELEASE, thread, lock->number, 0, site);
        if (again) lock->depth--;
    }
}

static int wrong(struct std_reader *r, struct dh_trace_error *error, char const *what,
                 struct dh_word word) {
    return dh_trace_bad(error, r->lines.offset, r->lines.line, "'%.*s' %s", dh_word_shown(word),
                        word.text, what);
}

struct fields {
    struct dh_word thread, operation, operand, place;
};

/* Cuts THREAD|OPERATION(OPERAND)|PLACE; operand and place may be missing. */
static bool cut(struct dh_word line, struct fields *fields) {
    char const *end = line.text + line.length;
    char const *bar = memchr(line.text, '|', line.length);
    if (!bar || bar == line.text) return false;
    fields->thread = (struct dh_word){line.text, (size_t)(bar - line.text)};
    char const *at = bar + 1;
    char const *second = memchr(at, '|', (size_t)(end - at));
    fields->place = (struct dh_word){end, 0};
    if (second) fields->place = (struct dh_word){second + 1, (size_t)(end - second - 1)};
    char const *stop = second ? second : end;
    char const *open = memchr(at, '(', (size_t)(stop - at));
    fields->operation = (struct dh_word){at, (size_t)((open ? open : stop) - at)};
    fields->operand = (struct dh_word){stop, 0};
    if (open) {
        if (stop[-1] != ')') return false;
        fields->operand = (struct dh_word){open + 1, (size_t)(stop - 1 - (open + 1))};
    }
    return fields->operation.length > 0;
}

bool dh_looks_like_std(char const *head, size_t size) {
    size_t from = 0;
    while (from < size && (head[from] == '\n' || head[from] == '\r'))
        from++;
    size_t to = from;
    while (to < size && head[to] != '\n' && head[to] != '\r')
        to++;
    struct fields fields;
    return cut((struct dh_word){head + from, to - from}, &fields);
}

static bool orders_nothing(struct dh_word operation) {
    return dh_word_is(operation, "begin") || dh_word_is(operation, "end")
           || dh_word_is(operation, "branch") || dh_word_is(operation, "req");
}

/* The events of a line go to the queue, perhaps none. */
static int line_events(struct std_reader *r, struct dh_trace_error *error) {
    struct fields f;
    struct dh_word line = {r->lines.text, r->lines.length};
    if (!cut(line, &f)) return wrong(r, error, "is not THREAD|OPERATION(OPERAND)|PLACE", line);
    uint64_t thread = thread_of(r, f.thread)->number;
    if (orders_nothing(f.operation)) return 0;
    if (f.operand.length == 0) return wrong(r, error, "has no operand", f.operation);
    uint32_t site = 0;
    bool new;
    if (f.place.length > 0) {
        site = (uint32_t)know(r, PLACE, f.place, &new)->number;
        size_t length = f.place.length < DH_SITE_TEXT ? f.place.length : DH_SITE_TEXT;
        char const *bad =
            new ? dh_site_texts_add(&r->base.sites, site, f.place.text, length) : NULL;
        if (bad) return dh_trace_bad(error, r->lines.offset, r->lines.line, "%s", bad);
    }
    if (dh_word_is(f.operation, "r") || dh_word_is(f.operation, "w")) {
        uint64_t variable = know(r, VARIABLE, f.operand, &new)->number;
        put(r, f.operation.text[0] == 'r' ? DH_OP_READ : DH_OP_WRITE, thread,
            FIRST_VARIABLE + 8 * (variable - 1), 8, site);
    } else if (dh_word_is(f.operation, "acq") || dh_word_is(f.operation, "rel")) {
        lock_event(r, f.operation.text[0] == 'a', thread, f.operand, site);
    } else if (dh_word_is(f.operation, "fork")) {
        put(r, DH_OP_FORK, thread, know(r, THREAD, f.operand, &new)->number, 0, site);
    } else if (dh_word_is(f.operation, "join")) {
        struct known *other = thread_of(r, f.operand);
        if (!other->exited) put(r, DH_OP_EXIT, other->number, 0, 0, 0);
        other->exited = true;
        put(r, DH_OP_JOIN, thread, other->number, 0, site);
    } else {
        return wrong(r, error, "is no operation of the STD form", f.operation);
    }
    return 0;
}

static int std_next(struct dh_trace_reader *base, struct dh_trace_event *event,
                    struct dh_trace_error *error) {
    struct std_reader *r = (struct std_reader *)base;
    while (r->first == r->last) {
        r->first = r->last = 0;
        int got = dh_lines_next(&r->lines, error);
        if (got <= 0) return got;
        base->offset = r->lines.offset;
        base->line = r->lines.line;
        base->done = r->lines.offset + r->lines.length;
        if (r->lines.length > 0 && line_events(r, error) < 0) return -1;
    }
    *event = r->queue[r->first++];
    return 1;
}

static void std_close(struct dh_trace_reader *base) {
    struct std_reader *r = (struct std_reader *)base;
    for (size_t i = 0; i < r->count; i++)
        free(r->known[i].text);
    free(r->known);
    dh_table_free(&r->ids);
}

struct dh_trace_reader *dh_std_reader(struct dh_source const *source) {
    struct std_reader *r = dh_trace_memory(sizeof *r);
    r->base.next = std_next;
    r->base.close = std_close;
    r->base.source = *source;
    r->lines.source = &r->base.source;
    return &r->base;
}
