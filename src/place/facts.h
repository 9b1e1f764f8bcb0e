/* What is known at each point of a function about the places that it accesses.
 *
 *   place        some bytes: an object (ir/objects.h), an offset, a size. Where an object is
 *                computed anew, what was known about the old one ends
 *   sweep        some bytes whose number only the program knows (ir/ranges.h)
 *   fact         about a place or a sweep, as for a read or as for a write
 *   checked      the bytes were checked so on every way to here, and nothing since has ended what
 *                such a check is good for (IR_ENDS_CHECKS)
 *   anticipated  the bytes will be accessed so on every way from here, for certain, and nothing
 *                with any effect comes before that
 *
 * Both are greatest fixed points over the blocks. Nothing that was checked is relied on in the next
 * round of a loop that is not proved to end: while a thread waits there a signal handler may
 * release. Nothing is anticipated from within a loop that may last: nobody knows when it comes.
 *
 * What callers have checked before, and what is checked when a call returns, is known from
 * place/summaries.h.
 */
#ifndef DEADHEAT_PLACE_FACTS_H
#define DEADHEAT_PLACE_FACTS_H

#include "ir/ranges.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ir_access;
struct ir_accesses;

/* A range that an access goes through, alone or with all rounds of its loop. */
struct place_sweep {
    struct ir_swept swept;
    ir_value base; /* of the range (ir/ranges.h) */
    uint32_t access;
};

struct place_facts {
    struct ir_accesses const *accesses;
    size_t count;    /* of facts; they come in pairs: read, written */
    uint32_t places; /* the first are about places, the rest about sweeps: */
    struct place_sweep *sweeps;
    uint32_t sweep_count;
    uint32_t *sweep_of; /* by access: number of its sweep plus one; 0: has none */
    uint32_t *of;       /* by access: number of its read fact plus one; 0: has none */
    /* By place, half a fact's number: one of those to it, of which no other is aligned less. Places
     * are sorted by object, offset and size. */
    uint32_t *an_access;
    /* By place: those whose bytes are all among its own, itself first. */
    uint32_t *within_starts, *within;
    size_t words;                       /* of 64 facts, in a set */
    uint64_t *before;                   /* by block: a set for its start, and */
    uint64_t *behind;                   /* for its end */
    uint32_t *starts, *stops;           /* by block: its accesses, which are together */
    uint32_t *call_starts, *call_stops; /* and its calls */
    uint64_t *entry; /* a set: what is checked wherever the function is called; null: nothing */
    /* By call: facts about places that are so when it returns; a written one is read, too. Null:
     * none.
     */
    uint32_t *returned_starts, *returned;
    struct place_birth {
        uint32_t block, fact;
    } * births; /* read facts about objects that a block computes, by block */
    size_t birth_count;
    struct place_arrival {
        uint32_t block, from, sweep;
    } * arrivals; /* at a block, from another: all of a sweep is checked; by block */
    size_t arrival_count;
};

void dh_facts_open(struct place_facts *facts, struct ir_accesses const *accesses);
void dh_facts_close(struct place_facts *facts);

static inline bool dh_fact_in(uint64_t const *set, uint32_t fact) {
    return set[fact / 64] >> fact % 64 & 1;
}
static inline void dh_fact_add(uint64_t *set, uint32_t fact) {
    set[fact / 64] |= (uint64_t)1 << fact % 64;
}

/* What a check of a place is good for, or an access to it certain of: for all places within it.
 * A check as for a write is also one as for a read. */
void dh_facts_add_checked(struct place_facts const *facts, uint64_t *set, uint32_t place,
                          bool write);

/* Takes out what was known of objects that the block computes. */
void dh_facts_forget_births(struct place_facts const *facts, uint32_t block, uint64_t *set);

/* Called for every access that has facts, about a place or a sweep or both, with the set just
 * before it; the set may be added to. */
typedef void place_visit(void *to, size_t access, uint64_t *set);

/* Called for every call, with the set just before it. */
typedef void place_visit_call(void *to, size_t call, uint64_t const *set);

/* Finds what is checked where, if each access is checked. `more` is called before that is added
 * for an access, and may add what its check is good for beside; null: nothing. */
void dh_facts_checked(struct place_facts *facts, place_visit *more, void *to);
/* Visits with what is checked just before each access, and each call (null: none is visited); in
 * program order. */
void dh_facts_visit_checked(struct place_facts const *facts, place_visit *visit,
                            place_visit_call *visit_call, void *to);

/* Finds what is anticipated where, instead. */
void dh_facts_anticipated(struct place_facts *facts);
/* What is anticipated when the function begins. */
void dh_facts_ahead(struct place_facts const *facts, uint64_t *set);
/* Visits with what is anticipated just behind each access; backwards. */
void dh_facts_visit_anticipated(struct place_facts const *facts, place_visit *visit, void *to);

#endif
