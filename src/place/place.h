/* Where checks go. Each detector has a placement; all of them turn the accesses of a function into
 * a list of checks and account for every access.
 *
 *   Invariant: every access has a fate when a function's placement is done: a check of its own, or
 *   a reason why not. So stats.accesses = stats.kept + the sum of stats.dropped.
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
    PLACE_REASONS,
    PLACE_KEPT = PLACE_REASONS, /* none: it has a check of its own */
};

struct place_stats {
    uint64_t functions, accesses, kept;
    uint64_t runs;   /* of those kept: for rounds of a loop */
    uint64_t groups; /* and: for a group */
    uint64_t dropped[PLACE_REASONS];
};

/* Accesses to one object that share a check, at the first: of the bytes from..to of the object, or
 * of some cells among them. */
struct place_group {
    struct place_group *next; /* of the placement's */
    int64_t from, to;
    bool gaps; /* all members are whole cells, and some of those from..to are nobody's */
    uint32_t count;
    struct ir_access const *members[]; /* the first is where the check is; all have one kind */
};

/* Accesses of one line that run with a loop (ir/access.h), through the same bytes some rounds
 * apart: what the first of them does, and for `more` rounds beyond the last. Of a strand that
 * another one covers but for its ends, what is left: `only` the last so many rounds, or the first
 * if negative; 0: all of them. */
struct place_strand {
    struct ir_access const *access;
    uint64_t more;
    int64_t only;
};

/* Strands that run side by side, or one alone. Together they are at the bytes from..to in each
 * round, as offsets of their runs, and for `more` rounds beyond the last. All have one kind. */
struct place_sheaf {
    struct place_sheaf *next; /* of the placement's */
    uint32_t check;           /* its number in the list, once it has one */
    uint32_t count;
    int64_t from, to;
    uint64_t more;
    struct place_strand strands[];
};

/* A check of an access, before it, and of the group that it leads, if any; or of the sheaf that it
 * is the first of, before the loop or behind it. */
struct place_check {
    struct ir_access const *access;
    struct place_group const *group;
    struct place_sheaf const *sheaf;
};

/* What became of an access. */
struct place_fate {
    enum place_reason reason;
    uint32_t check; /* the one that stands for it, by its number in the list; or PLACE_NO_CHECK */
    uint32_t call;  /* PLACE_RETURNED, PLACE_CALLED: by its number, the call that makes the check */
};
#define PLACE_NO_CHECK UINT32_MAX /* no single one */

struct placement {
    struct place_check *checks; /* in program order */
    size_t count, capacity;
    struct place_fate *fates; /* by access */
    size_t fates_capacity;
    struct place_group *groups; /* all of them */
    struct place_sheaf *sheaves;
};

struct place_summaries;
/* The last is what is known of other functions (place/summaries.h). */
typedef void place_function(struct ir_accesses const *accesses, struct placement *placement,
                            struct place_summaries *summaries);

/* The placement of a detector, by the name that users know it by. Null: no such detector. */
place_function *dh_place_of(char const *detector);
/* It looks at what is known of other functions. */
bool dh_place_uses_summaries(place_function *place);

place_function dh_place_every;
place_function dh_place_redcard;
place_function dh_place_bigfoot;

/* What the parts of a placement find: why an access needs no check of its own, and the number of
 * one whose check stands for it alone, or PLACE_SEVERAL. */
struct place_cover {
    enum place_reason reason; /* PLACE_KEPT: it needs one */
    uint32_t by;              /* PLACE_RETURNED, PLACE_CALLED: of a call */
};
#define PLACE_SEVERAL UINT32_MAX

struct place_facts;
/* Checks of others make one redundant (redundant.c). */
void dh_place_redundant(struct place_facts *facts, struct place_cover *covers);
/* One that comes behind a release does (released.c). */
void dh_place_released(struct place_facts const *facts, struct place_cover *covers);
/* The check of a group does (group.c); groups[i] becomes the group that access i leads. Accesses
 * that run with a loop stay out of it. */
void dh_place_group(struct place_facts *facts, struct place_cover *covers,
                    struct place_group **groups);

/* Those of the accesses that run with a loop and still need a check become strands, and these
 * sheaves (sheaves.c), which the placement has from then on; sheaves[i] becomes the one that access
 * i is in, or null. */
void dh_place_sheaves(struct ir_accesses const *accesses, struct placement *placement,
                      struct place_sheaf **sheaves);

/* An empty placement for these accesses: those that are exempt have that for their fate. */
void dh_placement_begin(struct placement *placement, struct ir_accesses const *accesses);
/* A check, which is that of its access. Returns its number. */
uint32_t dh_placement_add(struct placement *placement, struct ir_accesses const *accesses,
                          struct place_check check);
void dh_placement_free(struct placement *placement);

/* Adds a function's placement to the statistics. */
void dh_place_count(struct placement const *placement, struct ir_accesses const *accesses,
                    struct place_stats *stats);

/* A word for what became of an access, and a sentence about why that is right. */
char const *dh_place_reason_name(enum place_reason reason);
char const *dh_place_reason_why(enum place_reason reason);

/* The statistics as a table: a line for each reason, and the total, which is counted on its own. */
void dh_place_print(struct place_stats const *stats, char const *module, FILE *out);

#endif
