/* Where checks go. Each detector has a placement; all of them turn the accesses of a function into
 * a list of checks and account for every access.
 *
 *   Invariant: stats.accesses = stats.kept + the sum of stats.dropped, after every function.
 */
#ifndef DEADHEAT_PLACE_PLACE_H
#define DEADHEAT_PLACE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct ir_access;
struct ir_accesses;

enum place_reason {
#define X(name, text, why) PLACE_##name,
#include "place/reasons.def"
#undef X
    PLACE_REASONS
};

struct place_stats {
    uint64_t functions, accesses, kept;
    uint64_t runs; /* of those kept: before a loop */
    uint64_t dropped[PLACE_REASONS];
};

/* A check of an access, before it; or, if the access runs with a loop and `run` says so, one before
 * the loop: of all that the access will do there, and `more` rounds beyond the last. */
struct place_check {
    struct ir_access const *access;
    bool run;
    uint64_t more;
};

struct placement {
    struct place_check *checks; /* in program order */
    size_t count, capacity;
};

typedef void place_function(struct ir_accesses const *accesses, struct placement *placement,
                            struct place_stats *stats);

/* The placement of a detector, by the name that users know it by. Null: no such detector. */
place_function *dh_place_of(char const *detector);

place_function dh_place_every;
place_function dh_place_redcard;
place_function dh_place_bigfoot;

/* redundant[i]: checks of other accesses make one of access i redundant (redundant.c). The array has
 * room for all accesses and is zero before. */
void dh_place_redundant(struct ir_accesses const *accesses, bool *redundant);

/* Why an access has no check wherever checks are placed; it has a reason. */
enum place_reason dh_place_exempt(struct ir_access const *access);

void dh_placement_add(struct placement *placement, struct place_check check);
void dh_placement_free(struct placement *placement);

/* The statistics as a table: a line for each reason, and the total, which is counted on its own. */
void dh_place_print(struct place_stats const *stats, char const *module, FILE *out);

#endif
