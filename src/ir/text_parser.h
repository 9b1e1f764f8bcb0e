/* What the files of the parser share: the state of one parse, its tokens and its errors.
 *
 * The parser is one pass, by recursive descent, and has no syntax tree: expressions become nodes,
 * and every read of something shared becomes an instruction of its own in front of the one that
 * uses it, from left to right. Functions and threads may be used before they are declared, so what
 * they turn out to be is checked at the end. Everything else is declared before it is used.
 *
 * An error leaves by longjmp: nobody holds memory that the program does not own.
 */
#ifndef DEADHEAT_IR_TEXT_PARSER_H
#define DEADHEAT_IR_TEXT_PARSER_H

#include "ir/text.h"

#include <setjmp.h>

enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_SIGN };

struct token {
    enum token_kind kind;
    char const *at;
    uint32_t length;
    int64_t number;
};

/* A use that the end of the text must bear out. */
struct parse_use {
    struct token token;
    enum { USE_CALL, USE_METHOD, USE_SPAWN, USE_WAIT, USE_FIELD } what;
    uint32_t which;     /* function, thread or field */
    uint32_t arguments; /* of calls and spawns */
    bool indexed;       /* of threads: one of several was asked for */
};

struct parser {
    struct ir_program *program;
    char const *text, *end;
    char const *rest; /* what follows the token */
    struct token token;
    struct { /* the last place asked for: most are asked for in order */
        char const *at;
        uint32_t line, column;
    } known;

    /* The function being read. */
    uint32_t function, block;
    uint32_t after_loop; /* where break goes; IR_NONE: it cannot be used here */
    bool in_atomic;
    uint32_t depth; /* of nesting, to end before the stack does */

    uint64_t shared; /* words so far */

    struct parse_use *uses;
    uint32_t use_count;
    bool *function_defined, *thread_defined; /* by index; as long as the program's lists */
    bool *method;                            /* by function: it has a `this` */
    uint32_t function_room, thread_room;

    jmp_buf failed;
    struct dh_parse_error *error;
};

/* ---- Tokens and errors (text_tokens.c) ---- */
__attribute__((noreturn, format(printf, 3, 4))) void
dh_parse_fail(struct parser *p, struct token at, char const *format, ...);
void dh_parse_next(struct parser *p);
bool dh_parse_is(struct parser const *p, char const *sign_or_word);
bool dh_parse_take(struct parser *p, char const *sign_or_word);
void dh_parse_expect(struct parser *p, char const *sign_or_word);
/* What follows the token, without taking it: for the one place that must look ahead. */
bool dh_parse_follows(struct parser *p, char const *sign);
struct token dh_parse_name(struct parser *p, char const *what); /* not a word of the language */
int64_t dh_parse_number(struct parser *p, int64_t least, int64_t most, char const *what);
struct ir_position dh_parse_position(struct parser *p, struct token at);
void dh_parse_deeper(struct parser *p);

/* ---- Names (text.c) ---- IR_NONE: there is none. */
char const *dh_parse_text(struct parser *p, struct token name);
uint32_t dh_parse_find_global(struct parser const *p, char const *name);
uint32_t dh_parse_find_class(struct parser const *p, char const *name);
uint32_t dh_parse_find_local(struct parser const *p, char const *name);
uint32_t dh_parse_find_field(struct parser const *p, char const *name);
uint32_t dh_parse_the_function(struct parser *p, char const *name); /* perhaps declared later */
uint32_t dh_parse_the_thread(struct parser *p, char const *name);
void dh_parse_use(struct parser *p, struct parse_use use);

/* ---- Instructions (text_statements.c) ---- */
struct ir_function *dh_parse_function(struct parser *p);
struct ir_instruction *dh_parse_emit(struct parser *p, struct ir_instruction instruction);
uint32_t dh_parse_temporary(struct parser *p);
void dh_parse_end(struct parser *p, struct ir_terminator end, uint32_t next);
void dh_parse_block(struct parser *p);

/* ---- Expressions (text_expressions.c) ---- */
/* Something that may stand on the left of '=', or be read. */
struct parse_target {
    bool is_place;
    uint32_t local;
    struct ir_place place;
};
ir_expression dh_parse_expression(struct parser *p);
/* A place, a local or a value; *is_value says that it can only be read, and then it is returned. */
ir_expression dh_parse_postfix(struct parser *p, struct parse_target *target, bool *is_value);
struct parse_target dh_parse_target(struct parser *p);
ir_expression dh_parse_read(struct parser *p, struct token at, struct parse_target target);
/* ( a, b, ... ), as arguments of the program; the first is `receiver` if that is not IR_NONE. */
void dh_parse_arguments(struct parser *p, ir_expression receiver, uint32_t *first, uint32_t *count);

#endif
