/* Reading the text form. docs/traces.md has its grammar; the functions follow it. */
#include "trace/lines.h"
#include "trace/names.h"
#include "trace/format.h"

#include <stdarg.h>

struct text_reader {
    struct dh_trace_reader base;
    struct dh_lines lines;
};

/* What is left of a line. A line is parsed to the end or the first error. */
struct rest {
    struct text_reader *reader;
    char const *at, *end;
    struct dh_trace_error *error;
};

__attribute__((format(printf, 2, 3))) static bool wrong(struct rest *rest, char const *format,
                                                        ...) {
    char message[sizeof rest->error->message];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    struct dh_lines const *lines = &rest->reader->lines;
    dh_trace_bad(rest->error, lines->offset, lines->line, "%s", message);
    return false;
}

static struct dh_word word(struct rest *rest) {
    while (rest->at < rest->end && (*rest->at == ' ' || *rest->at == '\t'))
        rest->at++;
    struct dh_word word = {.text = rest->at};
    while (rest->at < rest->end && *rest->at != ' ' && *rest->at != '\t' && *rest->at != '#')
        rest->at++;
    word.length = (size_t)(rest->at - word.text);
    return word;
}

static struct dh_word peek(struct rest *rest) {
    struct rest copy = *rest;
    return word(&copy);
}

static bool number(struct rest *rest, char const *what, uint64_t max, uint64_t *value) {
    struct dh_word w = word(rest);
    if (w.length == 0) return wrong(rest, "the line ends before the %s", what);
    if (!dh_word_number(w, value) || *value > max)
        return wrong(rest, "'%.*s' is no %s", dh_word_shown(w), w.text, what);
    return true;
}

static bool name(struct rest *rest, char const *what, char const *const *names, unsigned count,
                 uint8_t *value) {
    struct dh_word w = word(rest);
    if (w.length == 0) return wrong(rest, "the line ends before the %s", what);
    for (unsigned i = 0; i < count; i++) {
        if (!dh_word_is(w, names[i])) continue;
        *value = (uint8_t)i;
        return true;
    }
    return wrong(rest, "'%.*s' is no %s", dh_word_shown(w), w.text, what);
}

static bool operands(struct rest *rest, struct dh_trace_event *event) {
    unsigned op = event->op;
    if (dh_op_has(op, 'k') && !name(rest, "kind", dh_kind_names, DH_KINDS, &event->kind))
        return false;
    if (dh_op_has(op, 'a')
        && (!number(rest, "address", UINT64_MAX, &event->address)
            || !number(rest, "size", UINT64_MAX, &event->size)))
        return false;
    if (dh_op_has(op, 'o') && !number(rest, "object", UINT64_MAX, &event->address)) return false;
    if (dh_op_has(op, 't') && !number(rest, "thread", UINT32_MAX, &event->address)) return false;
    if (!dh_op_has(op, 'm')) return true;
    if (!name(rest, "memory order", dh_order_names, DH_ORDERS, &event->order)) return false;
    if (dh_word_is(peek(rest), "c++20")) {
        word(rest);
        event->order |= DH_TRACE_CXX20;
    }
    return true;
}

static bool event_line(struct rest *rest, struct dh_trace_event *event) {
    *event = (struct dh_trace_event){0};
    uint64_t value;
    if (!number(rest, "thread", UINT32_MAX, &value)) return false;
    event->thread = (uint32_t)value;
    if (!name(rest, "operation", dh_op_names, DH_OP_COUNT, &event->op)) return false;
    if (!operands(rest, event)) return false;
    struct dh_word w = word(rest);
    if (w.length > 0 && w.text[0] == '@') {
        if (!dh_word_number((struct dh_word){w.text + 1, w.length - 1}, &value)
            || value > UINT32_MAX)
            return wrong(rest, "'%.*s' is no site", dh_word_shown(w), w.text);
        event->site = (uint32_t)value;
        w = word(rest);
    }
    if (w.length > 0) return wrong(rest, "'%.*s' does not belong here", dh_word_shown(w), w.text);
    return true;
}

static bool site_line(struct rest *rest) {
    uint64_t site;
    if (!number(rest, "site", UINT32_MAX, &site)) return false;
    while (rest->at < rest->end && (*rest->at == ' ' || *rest->at == '\t'))
        rest->at++;
    char const *bad = dh_site_texts_add(&rest->reader->base.sites, site, rest->at,
                                        (size_t)(rest->end - rest->at));
    return bad ? wrong(rest, "%s", bad) : true;
}

static int first_line(struct text_reader *reader, struct dh_trace_error *error) {
    int got = dh_lines_next(&reader->lines, error);
    if (got < 0) return got;
    struct dh_word line = {reader->lines.text, reader->lines.length};
    size_t length = sizeof DH_TEXT_FIRST - 1;
    if (!reader->lines.ended || line.length < length)
        return dh_trace_bad(error, 0, 1, "the first line is cut short");
    struct dh_word version = {line.text + length, line.length - length};
    if (!dh_word_is(version, "1"))
        return dh_trace_bad(error, length, 1, "the trace has version '%.*s'; this reads version 1",
                            dh_word_shown(version), version.text);
    return 1;
}

static int text_next(struct dh_trace_reader *base, struct dh_trace_event *event,
                     struct dh_trace_error *error) {
    struct text_reader *reader = (struct text_reader *)base;
    struct dh_lines *lines = &reader->lines;
    if (lines->line == 0 && first_line(reader, error) < 0) return -1;
    for (;;) {
        int got = dh_lines_next(lines, error);
        if (got <= 0) return got;
        base->offset = lines->offset;
        base->line = lines->line;
        base->done = lines->offset + lines->length;
        if (!lines->ended)
            return dh_trace_bad(error, lines->offset, lines->line, "the last line is cut short");
        struct rest rest = {reader, lines->text, lines->text + lines->length, error};
        struct dh_word w = peek(&rest);
        if (w.length == 0) continue;
        if (!dh_word_is(w, "site")) return event_line(&rest, event) ? 1 : -1;
        word(&rest);
        if (!site_line(&rest)) return -1;
    }
}

struct dh_trace_reader *dh_text_reader(struct dh_source const *source) {
    struct text_reader *reader = dh_trace_memory(sizeof *reader);
    reader->base.next = text_next;
    reader->base.source = *source;
    reader->lines.source = &reader->base.source;
    return &reader->base;
}
