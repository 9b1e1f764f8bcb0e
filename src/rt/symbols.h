/* From addresses to names, by an llvm-symbolizer that runs beside the program and stays between
 * reports. When there is none, or it fails, one message says so and nothing has a name. The caller
 * holds the report lock. Strings are in the arena. */
#ifndef DEADHEAT_RT_SYMBOLS_H
#define DEADHEAT_RT_SYMBOLS_H

#include "report/race.h"
#include "rt/modules.h"

struct dh_symbol_frames {
    struct dh_frame
        *frames;     /* innermost first; only function, file, line, column, start_line, inlined */
    size_t count;    /* 0: nothing is known */
    uintptr_t entry; /* of the machine function, in the process; 0: unknown */
};

/* The source-level frames of the instruction that holds this address. */
struct dh_symbol_frames dh_symbols_code(struct dh_module const *module, uintptr_t address,
                                        struct dh_arena *arena);

struct dh_symbol_variable {
    char const *name, *file; /* file: null if the declaration is not known */
    uint32_t line;
    uintptr_t address;
    size_t size;
};

/* The global or static variable that holds this address. */
bool dh_symbols_variable(struct dh_module const *module, uintptr_t address, struct dh_arena *arena,
                         struct dh_symbol_variable *to);

struct dh_symbol_local {
    char const *function, *name, *file;
    uint32_t line;
    int64_t offset; /* from the frame base of its function */
    size_t size;
};

/* The parameters and locals with a fixed place in the frame of the function that holds this
 * address, with those of functions inlined into it, of all scopes. */
size_t dh_symbols_locals(struct dh_module const *module, uintptr_t address, struct dh_arena *arena,
                         struct dh_symbol_local **to);

/* After each report, and at the end: lets the symbolizer go if it cannot stay unnoticed, or must
 * not. */
void dh_symbols_pause(void);
void dh_symbols_end(void);

/* How long to wait for one answer, in milliseconds. For tests. */
extern int dh_symbols_patience;

#endif
