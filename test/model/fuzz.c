/* The parser against texts that nobody thought of. What it accepts is also run for a while, copied
 * and instrumented: a program that was accepted must be safe to work on. */
#include "ir/text.h"
#include "model/explore.h"
#include "model/instrument.h"

#include <stdlib.h>
#include <string.h>

static void run(struct ir_program const *program, bool reduce) {
    struct dh_explore_options options = {
        .limits = {.steps = 60, .stack = 64, .heap = 64}, .reduce = reduce, .most_runs = 4};
    dh_explore(program, options, NULL, NULL);
}

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size);
int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size) {
    struct dh_parse_error error;
    struct ir_program *program = dh_parse("fuzz.dh", (char const *)data, size, &error);
    if (!program) {
        if (error.line == 0 || error.column == 0 || !strchr(error.text, '^')) abort();
        return 0;
    }
    run(program, false);
    run(program, true);
    char const *why;
    struct ir_position where;
    dh_program_free(dh_instrument(program, DH_WITH_LOCKS, &why, &where));
    dh_program_free(program);
    return 0;
}
