/* Libraries that come and go while the program runs (dlopen, dlclose).
 *
 * What comes has no history: its data, and the thread-local variables that libc keeps for it in
 * every thread's own block, may be where another library's were. What goes is remembered, because
 * stacks from before still lead there: a report must not name the functions of whatever is at these
 * addresses now.
 *
 *   Invariant: a stack whose number is below `mark` of an unloaded library, and that leads into its
 * range, was taken in that library or, if it was loaded there again, in the same file at the same
 * place. When another one is loaded over it, stacks that look the same get new numbers
 * (dh_stack_generation). An access in a history is as old as the stack of its callers, which is
 * taken when it is made (rt/history.h).
 */
#ifndef DEADHEAT_RT_LIBRARIES_H
#define DEADHEAT_RT_LIBRARIES_H

#include "rt/arena.h"
#include "rt/stacks.h"

struct dh_library_file {
    uint64_t device, inode, size, changed; /* all 0: not to be found */
};

struct dh_unloaded {
    uint32_t number; /* 1, 2, ... */
    char const *path;
    uintptr_t low, high, bias;
    struct dh_library_file file;
    dh_stack_id mark;
    struct dh_unloaded *older;
};

/* The library with this address, which was built with deadheat, is about to run its first code. */
void dh_library_starts(uintptr_t pc);

/* The library with this address has run its last code and is about to be unmapped, by a dlclose at
 * `here`: to its data that is what munmap is to a mapping. */
void dh_library_ends(uintptr_t address, struct dh_here here);

/* How many have been loaded since the process began. */
uint64_t dh_libraries_loaded(void);

/* The code of a loaded object that this address is in; 0 and 0: none is. */
struct dh_code {
    uintptr_t low, high;
};
struct dh_code dh_code_around(uintptr_t pc);

/* Around the real dlclose, outside critical sections, under the loader's lock (or two that happen
 * together would take the same one for theirs): what is gone afterwards is remembered. Is
 * anything? */
struct dh_loaded;
struct dh_loaded *dh_libraries_note(struct dh_arena *arena);
bool dh_libraries_gone(struct dh_loaded const *before);

/* The unloaded library that this return address of this stack was in; null: none, or it is in what
 * is there now. */
struct dh_unloaded const *dh_unloaded_find(dh_stack_id stack, uintptr_t pc);
/* The file is still the one that was loaded. */
bool dh_unloaded_intact(struct dh_unloaded const *gone);

#endif
