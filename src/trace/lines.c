#include "trace/lines.h"

#include <string.h>

static int fill(struct dh_lines *lines, struct dh_trace_error *error) {
    memmove(lines->buffer, lines->buffer + lines->from, lines->to - lines->from);
    lines->to -= lines->from;
    lines->from = 0;
    size_t got;
    int trouble = dh_source_read(lines->source, lines->next, lines->buffer + lines->to,
                                 sizeof lines->buffer - lines->to, &got);
    if (trouble) return dh_trace_bad(error, lines->next, 0, "%s", strerror(trouble));
    lines->next += got;
    lines->to += got;
    return 0;
}

int dh_lines_next(struct dh_lines *lines, struct dh_trace_error *error) {
    char *begin = lines->buffer + lines->from;
    char *end = memchr(begin, '\n', lines->to - lines->from);
    if (!end) {
        if (fill(lines, error) < 0) return -1;
        if (lines->to == 0) return 0;
        begin = lines->buffer;
        end = memchr(begin, '\n', lines->to);
    }
    lines->ended = end != NULL;
    if (!end) end = lines->buffer + lines->to;
    lines->text = begin;
    lines->length = (size_t)(end - begin);
    lines->offset = lines->next - (lines->to - lines->from);
    lines->line++;
    lines->from += lines->length + lines->ended;
    if (lines->length > 0 && end[-1] == '\r') lines->length--;
    if (lines->length > DH_LINE_MAX)
        return dh_trace_bad(error, lines->offset, lines->line, "the line is longer than %d bytes",
                            DH_LINE_MAX);
    return 1;
}

bool dh_word_is(struct dh_word word, char const *text) {
    return strlen(text) == word.length && memcmp(text, word.text, word.length) == 0;
}

static int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 16;
}

bool dh_word_number(struct dh_word word, uint64_t *number) {
    uint64_t base = 10;
    if (word.length > 2 && word.text[0] == '0' && word.text[1] == 'x') {
        base = 16;
        word.text += 2;
        word.length -= 2;
    }
    *number = 0;
    for (size_t i = 0; i < word.length; i++) {
        uint64_t d = (uint64_t)digit(word.text[i]);
        if (d >= base) return false;
        if (__builtin_mul_overflow(*number, base, number)
            || __builtin_add_overflow(*number, d, number))
            return false;
    }
    return word.length > 0;
}

/* Up to the first byte that is not for terminals. */
int dh_word_shown(struct dh_word word) {
    int shown = 0;
    while (shown < 40 && (size_t)shown < word.length && word.text[shown] > ' '
           && word.text[shown] < 0x7f)
        shown++;
    return shown;
}
