/* The lines of a text, and the words of a line. */
#ifndef DEADHEAT_TRACE_LINES_H
#define DEADHEAT_TRACE_LINES_H

#include "trace/reader.h"

enum { DH_LINE_MAX = 4096 }; /* bytes, without its end */
#define DH_TEXT_FIRST "deadheat trace "

struct dh_lines {
    struct dh_source const *source;
    uint64_t offset; /* of the line given last; its number */
    uint64_t line;
    char *text; /* that line, which may be written to; no end of line, not terminated */
    size_t length;
    bool ended;      /* by a newline: only the last may not be */
    uint64_t next;   /* the offset after what is in the buffer */
    size_t from, to; /* what is left in the buffer */
    char buffer[1 << 15];
};

/* 1, 0 at the end, -1 with the error. */
int dh_lines_next(struct dh_lines *lines, struct dh_trace_error *error);

/* A piece of a line. */
struct dh_word {
    char const *text;
    size_t length;
};

bool dh_word_is(struct dh_word word, char const *text);
/* Decimal, or hexadecimal after 0x. False: it is no number of 64 bits. */
bool dh_word_number(struct dh_word word, uint64_t *number);
/* For messages: how much of the word to show, for "%.*s". */
int dh_word_shown(struct dh_word word);

/* Whether a file that begins like this is in the STD form: its first line that is not blank has the
 * shape of one. */
bool dh_looks_like_std(char const *head, size_t size);

#endif
