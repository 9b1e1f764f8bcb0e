/* What the functions of a module, or with link-time optimisation of a program, know of each other's
 * checks: the bytes that every caller has checked when a function begins, those that the function
 * has checked whenever it returns, and those that it is certain to access first of all. The first
 * two are facts like those of place/facts.h, only that the way to the point leads through calls, so
 * all that is said there of what ends a check holds.
 *
 *   entered  at each call of the function the bytes were checked: nobody calls it that is not seen.
 *            It has no name outside, every use of it is a call by name with its own type, and all of
 *            these are in functions that were looked at
 *   left     on each way to a return the bytes were checked, by its own accesses or by what it calls,
 *            and nothing since has ended that. The body is the one that runs
 *   ahead    on each way from its start the bytes are accessed, before anything with effects
 *
 * This is RedCard's idea of proxies, the check of one access standing for others that never come
 * without it, as far as it can be proved for C: of the same bytes. That two fields of a type are
 * always accessed together is not something that a C compiler can know: a field's bytes may be
 * reached by memcpy, through a union, by pointers of other types, from libraries. Here nothing is
 * assumed of types, and the shadow of all bytes is what it would be if each access had its check.
 *
 *   Covering: take an access y without a check that relies on an earlier one, x, on the same way: no
 *   release, wait or free is between them. A check c covers x (place/redundant.c and others). If it
 *   comes before x it covers y as well; if between x and y, too. If it comes behind y then it was
 *   certain to come when x was made, with no acquire in between, hence so it was when y was made: the
 *   call in which y may be is one that returns, for a call that may not is an effect, and nothing of
 *   that kind is between x and c.
 *   Legitimate: there are no new checks.
 *
 * An access just before a call of a function that will access these bytes, as strongly, needs no
 * check either: that of the other comes behind it with nothing in between. So that these two do not
 * rely on each other, a function that is relied on so does not rely on its callers for the same
 * place. It may for a larger one that the place is within; what that relies on in the callers is
 * larger, too, and so this comes to an end. For the same reason nobody relies so on a function of
 * its own circle of calls.
 *
 * Bytes are told by their address: parameters and constants (ir/calls.h), so an offset between what
 * is passed and what was checked is part of it. Circles of calls are cut, as loops are that may not
 * end: of who is called from a function that was looked at before it, not all callers are known.
 */
#ifndef DEADHEAT_PLACE_SUMMARIES_H
#define DEADHEAT_PLACE_SUMMARIES_H

#include "ir/access.h"

struct place_cover;
struct place_facts;
struct place_summaries;

/* For functions with numbers below `count` (ir/effects.h). */
struct place_summaries *dh_summaries_open(uint32_t count);
void dh_summaries_close(struct place_summaries *s);

/* First, for each function that gets checks, callees first: what it tells its callers, and whom it
 * calls. Who is never told of one of its callers does not rely on any. `certain`: its body is the
 * one that runs. `uses`: how often it is named, calls and all; UINT32_MAX if others may call it. */
void dh_summaries_learn(struct place_summaries *s, struct ir_accesses const *accesses, bool certain,
                        uint32_t uses);

/* Then, for each, callers first: what is known at its start, and behind its calls, becomes part of
 * the facts. */
void dh_summaries_use(struct place_summaries const *s, struct place_facts *facts);

/* Which accesses need no check because of the call that follows. After the others. */
void dh_place_called(struct place_summaries *s, struct place_facts const *facts,
                     struct place_cover *covers);

/* The calls of a function by which it was found out what its callers have checked. */
ir_value const *dh_summaries_callers(struct place_summaries const *s, uint32_t function,
                                     uint32_t *count);

#endif
