#include "rt/tape_sites.h"
#include "rt/modules.h"
#include "rt/symbols.h"
#include "rt/tape_file.h"
#include "trace/encode.h"

/* The number of a site is its place in the table, plus one. */
uintptr_t *dh_tape_sites;

enum { LOOKS = 64 }; /* so many places are looked at; beyond that a site is nobody's */

void dh_tape_sites_init(void) {
    if (!dh_tape_sites) dh_tape_sites = dh_reserve(DH_TAPE_SITES * sizeof *dh_tape_sites);
    if (!dh_tape_sites) dh_die("cannot reserve address space for recording (ulimit -v?)");
}

DH_COLD uint32_t dh_tape_site_slow(uintptr_t pc) {
    if (pc == 0) return 0;
    for (uint32_t i = 0; i < LOOKS; i++) {
        uint32_t at = (dh_tape_site_hash(pc) + i) % DH_TAPE_SITES;
        uintptr_t found = __atomic_load_n(&dh_tape_sites[at], __ATOMIC_RELAXED);
        if (found == 0
            && __atomic_compare_exchange_n(&dh_tape_sites[at], &found, pc, false, __ATOMIC_RELAXED,
                                           __ATOMIC_RELAXED))
            return at + 1;
        if (found == pc) return at + 1;
    }
    return 0;
}

/* "file.c:12 function", or "module+0x123". Returns its length. */
static size_t explain(uintptr_t pc, struct dh_modules const *modules, char *text, size_t room) {
    struct dh_module const *module = dh_module_of(modules, pc);
    if (!module) return dh_format(text, room, "0x%lx", (unsigned long)pc);
    struct dh_arena arena = {0};
    struct dh_symbol_frames at = dh_symbols_code(module, pc, &arena);
    size_t length;
    if (at.count > 0 && at.frames[0].file)
        length = dh_format(text, room, "%s:%u %s", at.frames[0].file, at.frames[0].line,
                           at.frames[0].function ? at.frames[0].function : "??");
    else
        length =
            dh_format(text, room, "%s+0x%lx", module->path, (unsigned long)(pc - module->bias));
    dh_arena_free(&arena);
    return length < room ? length : room - 1;
}

static void write_block(struct dh_sites *block) {
    void const *bytes;
    size_t size = dh_sites_close(block, &bytes);
    if (size > 0) dh_tape_write(bytes, size);
    dh_sites_begin(block);
}

void dh_tape_sites_write(void) {
    struct dh_arena arena = {0};
    struct dh_modules modules;
    dh_modules_read(&modules, &arena);
    struct dh_sites *block = dh_arena_alloc(&arena, sizeof *block);
    dh_sites_begin(block);
    for (uint32_t i = 0; i < DH_TAPE_SITES; i++) {
        char text[DH_SITE_TEXT + 1];
        uintptr_t pc = dh_tape_sites[i];
        if (pc == 0) continue;
        size_t length = explain(pc - 1, &modules, text, sizeof text);
        if (!dh_sites_add(block, i + 1, text, length)) {
            write_block(block);
            dh_sites_add(block, i + 1, text, length);
        }
    }
    write_block(block);
    dh_arena_free(&arena);
}
