/* What a racy address belongs to. */
#ifndef DEADHEAT_RT_VARIABLES_H
#define DEADHEAT_RT_VARIABLES_H

#include "rt/report.h"
#include "rt/symbols.h"

/* What a stack id or thread becomes in a report is report.c's matter; here they stay numbers. */
struct dh_owner {
    struct dh_thread *thread; /* whose stack or TLS, or who allocated; null: not known */
    dh_stack_id allocated;    /* heap */
};

/* Fills in all of `object` but thread and allocated, which come as `owner`. */
void dh_variable_find(struct dh_raw_race const *race, struct dh_modules const *modules,
                      struct dh_arena *arena, struct dh_object *object, struct dh_owner *owner);

#endif
