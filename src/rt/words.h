/* Lists of words for a helper process (rt/spawn.h): where its program may be, and its
 * environment. */
#ifndef DEADHEAT_RT_WORDS_H
#define DEADHEAT_RT_WORDS_H

#include "rt/arena.h"

bool dh_starts_with(char const *text, char const *start);

struct dh_words {
    char const **list; /* ends with null once that was added */
    size_t count, room;
};

void dh_words_add(struct dh_words *words, struct dh_arena *arena, char const *word);

/* The process's environment as it was started with, less what is not for helpers; ends with null.
 * Returns PATH, or what stands for it. */
char const *dh_words_environment(struct dh_words *words, struct dh_arena *arena);

/* `name` in each directory of `path`. */
void dh_words_add_from_path(struct dh_words *words, struct dh_arena *arena, char const *path,
                            char const *name);

#endif
