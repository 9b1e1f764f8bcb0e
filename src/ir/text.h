/* The model language: from text to a program (ir/program.h). docs/model.md has the grammar and the
 * meaning.
 *
 * Bad input gives the place, one message, and the source line with a caret under the mistake.
 */
#ifndef DEADHEAT_IR_TEXT_H
#define DEADHEAT_IR_TEXT_H

#include "ir/program.h"

struct dh_parse_error {
    uint32_t line, column; /* from 1 */
    char message[160];
    char text[400]; /* file:line:column: message, the line, the caret; no newline at the end */
};

/* `file` is for messages and positions. Null: *error says why. */
struct ir_program *dh_parse(char const *file, char const *text, size_t length,
                            struct dh_parse_error *error);

#endif
