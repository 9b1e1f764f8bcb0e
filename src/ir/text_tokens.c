#include "ir/text_parser.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 200, SHOWN = 100 };

static char const *const words[] = {
    "acquire", "assert",   "atomic", "await",     "break", "cas",      "check", "class",   "do",
    "else",    "exchange", "false",  "fetch_add", "for",   "function", "if",    "length",  "lock",
    "loop",    "main",     "max",    "min",       "new",   "null",     "read",  "release", "return",
    "self",    "skip",     "spawn",  "thread",    "true",  "var",      "wait",  "while",   "write",
};

/* Longer ones first, so that "<-" is not "<" and "-". */
static char const *const signs[] = {
    "<-", "<=", ">=", "==", "!=", "&&", "||", "..", "++", "--", "+=", "-=", "{", "}", "(", ")",
    "[",  "]",  ",",  ";",  ":",  ".",  "/",  "=",  "<",  ">",  "+",  "-",  "*", "%", "!"};

struct ir_position dh_parse_position(struct parser *p, struct token at) {
    if (!p->known.at || at.at < p->known.at)
        p->known.at = p->text, p->known.line = p->known.column = 1;
    for (; p->known.at < at.at; p->known.at++) {
        p->known.column++;
        if (*p->known.at == '\n') p->known.line++, p->known.column = 1;
    }
    return (struct ir_position){.file = p->program->file,
                                .file_length = (uint32_t)strlen(p->program->file),
                                .line = p->known.line,
                                .column = p->known.column};
}

/* The line and a caret under the place. Of a long line the part around it; what cannot be printed
 * is a question mark, so that the caret stands right. */
static void show(struct parser const *p, struct token at, struct ir_position position) {
    struct dh_parse_error *error = p->error;
    char const *line = at.at - (position.column - 1), *stop = line;
    while (stop < p->end && *stop != '\n')
        stop++;
    if (at.at - line > SHOWN / 2) line = at.at - SHOWN / 2;
    if (stop - line > SHOWN) stop = line + SHOWN;

    char shown[SHOWN + 1] = "";
    for (char const *c = line; c < stop; c++)
        shown[c - line] = isprint((unsigned char)*c) ? *c : *c == '\t' ? ' ' : '?';
    snprintf(error->text, sizeof error->text, "%.60s:%u:%u: %s\n%s\n%*s^", p->program->file,
             position.line, position.column, error->message, shown, (int)(at.at - line), "");
}

void dh_parse_fail(struct parser *p, struct token at, char const *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(p->error->message, sizeof p->error->message, format, values);
    va_end(values);
    struct ir_position position = dh_parse_position(p, at);
    p->error->line = position.line;
    p->error->column = position.column;
    show(p, at, position);
    longjmp(p->failed, 1);
}

void dh_parse_deeper(struct parser *p) {
    if (++p->depth > DEEPEST) dh_parse_fail(p, p->token, "nested too deeply");
}

static bool starts(char const *at, char const *end, char const *sign) {
    size_t length = strlen(sign);
    return (size_t)(end - at) >= length && memcmp(at, sign, length) == 0;
}

static char const *skip_blanks(struct parser *p, char const *at) {
    for (;;) {
        while (at < p->end && isspace((unsigned char)*at))
            at++;
        if (starts(at, p->end, "//")) {
            while (at < p->end && *at != '\n')
                at++;
        } else if (starts(at, p->end, "/*")) {
            char const *open = at;
            while (!starts(at, p->end, "*/"))
                if (at++ == p->end)
                    dh_parse_fail(p, (struct token){.at = open}, "this comment does not end");
            at += 2;
        } else {
            return at;
        }
    }
}

static void number(struct parser *p, struct token *token) {
    char const *at = token->at;
    for (; at < p->end && isdigit((unsigned char)*at); at++)
        if (__builtin_mul_overflow(token->number, 10, &token->number)
            || __builtin_add_overflow(token->number, *at - '0', &token->number))
            dh_parse_fail(p, *token, "this number is too large");
    token->kind = TOKEN_NUMBER;
    token->length = (uint32_t)(at - token->at);
}

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

void dh_parse_next(struct parser *p) {
    struct token token = {.at = skip_blanks(p, p->rest)};
    if (token.at == p->end) {
        token.kind = TOKEN_END;
    } else if (isdigit((unsigned char)*token.at)) {
        number(p, &token);
    } else if (in_name(*token.at)) {
        token.kind = TOKEN_NAME;
        while (token.at + token.length < p->end && in_name(token.at[token.length]))
            token.length++;
        if (token.length > 60) dh_parse_fail(p, token, "names have at most 60 characters");
    } else {
        token.kind = TOKEN_SIGN;
        for (size_t i = 0; i < sizeof signs / sizeof *signs && token.length == 0; i++)
            if (starts(token.at, p->end, signs[i])) token.length = (uint32_t)strlen(signs[i]);
        if (token.length == 0) dh_parse_fail(p, token, "this character means nothing here");
    }
    p->token = token;
    p->rest = token.at + token.length;
}

static bool token_is(struct token token, char const *text) {
    return token.kind != TOKEN_NUMBER && token.kind != TOKEN_END && strlen(text) == token.length
           && memcmp(token.at, text, token.length) == 0;
}

bool dh_parse_is(struct parser const *p, char const *text) { return token_is(p->token, text); }

bool dh_parse_follows(struct parser *p, char const *sign) {
    return starts(skip_blanks(p, p->rest), p->end, sign);
}

bool dh_parse_take(struct parser *p, char const *text) {
    if (!dh_parse_is(p, text)) return false;
    dh_parse_next(p);
    return true;
}

void dh_parse_expect(struct parser *p, char const *text) {
    if (!dh_parse_take(p, text)) dh_parse_fail(p, p->token, "'%s' is expected here", text);
}

struct token dh_parse_name(struct parser *p, char const *what) {
    struct token token = p->token;
    if (token.kind != TOKEN_NAME) dh_parse_fail(p, token, "%s is expected here", what);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (token_is(token, words[i]))
            dh_parse_fail(p, token, "%s is expected here; '%s' is a word of the language", what,
                          words[i]);
    dh_parse_next(p);
    return token;
}

int64_t dh_parse_number(struct parser *p, int64_t least, int64_t most, char const *what) {
    bool negative = dh_parse_take(p, "-");
    struct token token = p->token;
    if (token.kind != TOKEN_NUMBER) dh_parse_fail(p, token, "%s is expected here", what);
    int64_t value = negative ? -token.number : token.number;
    if (value < least || value > most)
        dh_parse_fail(p, token, "%s is between %lld and %lld", what, (long long)least,
                      (long long)most);
    dh_parse_next(p);
    return value;
}
