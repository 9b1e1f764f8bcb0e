/* Memory that is given back all at once: what a report needs while it is being made. Not shared. */
#ifndef DEADHEAT_RT_ARENA_H
#define DEADHEAT_RT_ARENA_H

#include "rt/base.h"

struct dh_arena {
    struct dh_arena_chunk *chunks; /* newest first; pieces come from it */
    size_t used;                   /* of the newest */
};

/* Zeroed, aligned to 16. When memory is out the process stops with a message, as with dh_alloc. */
void *dh_arena_alloc(struct dh_arena *arena, size_t size);
char *dh_arena_text(struct dh_arena *arena, char const *text, size_t length);
void dh_arena_free(struct dh_arena *arena);

#endif
