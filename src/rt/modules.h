/* The executable and the libraries of the process, as they are mapped at the time of a report.
 *
 * dl_iterate_phdr would know too, but takes the loader's lock, which the program may be holding;
 * and it may be the program's own. So this reads /proc/self/maps, and the ELF headers where they
 * are mapped.
 */
#ifndef DEADHEAT_RT_MODULES_H
#define DEADHEAT_RT_MODULES_H

#include "rt/arena.h"

/* Address a of the process is a - bias in the file, the number that nm and llvm-symbolizer speak
 * of. */
struct dh_module {
    char const *path;    /* as the kernel shows it, without " (deleted)" */
    char const *file;    /* what to open to read it; null if there is no way */
    uintptr_t low, high; /* all its segments */
    uintptr_t bias;
    bool instrumented;            /* some of its code was built with deadheat */
    uint64_t fields, fields_size; /* the section deadheat_fields: offset in the file */
};

struct dh_mapping {
    uintptr_t low, high;
    uint64_t offset, inode, device;
    bool readable, executable, deleted;
    char const *path; /* "" if there is none */
};

struct dh_modules {
    struct dh_module *list;
    size_t count;
    struct dh_mapping *mappings; /* by address */
    size_t mapping_count;
};

/* Reads the state of things; the strings are in the arena. Without /proc the list is empty. */
void dh_modules_read(struct dh_modules *modules, struct dh_arena *arena);

struct dh_module const *dh_module_of(struct dh_modules const *modules, uintptr_t address);
struct dh_mapping const *dh_mapping_of(struct dh_modules const *modules, uintptr_t address);

/* Copies memory of this process that may be unmapped any moment; false if it was. */
bool dh_memory_read(void *to, uintptr_t from, size_t size);

/* Is this an address that a call returns to? False too if it is not in readable code. */
bool dh_follows_call(struct dh_modules const *modules, uintptr_t address);

/* What the compiler called the memory accessed at this place of this module (section
 * deadheat_fields), or null. The file is as the debug information has it. */
char const *dh_module_field(struct dh_module const *module, struct dh_arena *arena,
                            char const *file, uint32_t line, uint32_t column);

#endif
