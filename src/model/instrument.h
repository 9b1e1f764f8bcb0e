/* Race detection written into the program itself: the instrumentation of "Verifying Dynamic Race
 * Detection" (Mansky, Peng, Zdancewic, Devietti), sections 4.2 and 4.3.
 *
 * The clocks of the VectorClock algorithm become arrays that the program shares, with z threads:
 *
 *   $C[t*z + u]   what thread t knows of thread u
 *   $L[m*z + u]   the same, as lock m last handed it over
 *   $R[x*z + u]   when thread u last read location x, on u's own clock
 *   $W[x*z + u]   when thread u last wrote it
 *   $X[x]         the lock that makes check, update and access of location x one step
 *
 * and every load, store, lock, unlock, spawn and wait becomes the sequence of Figure 9, with a
 * failed assertion where the access races. Names with a dollar cannot be written, so they are new.
 *
 * Three slips of the figures are put right: R[b] is R[x]; max(p, q) stores its result in q, as
 * merge(from, to) wants; and the clocks start with C[t][t] = 1, or first accesses would be in no
 * epoch at all. A check of the location stands in front of each sequence, so that traces show what
 * was looked at even where the access is never made.
 *
 * The paper's language has locations, locks, and threads with numbers. Programs with atomics,
 * objects that have fields, arrays made at run time, or checks of their own are not in it.
 */
#ifndef DEADHEAT_MODEL_INSTRUMENT_H
#define DEADHEAT_MODEL_INSTRUMENT_H

#include "ir/program.h"

enum dh_instrument_locks { DH_WITHOUT_LOCKS, DH_WITH_LOCKS }; /* those of section 4.3 */

/* A new program, the caller's. Null: the program is not in the paper's language, and *why and
 * *where say what is not. What was shared in the original has the same words in both. */
struct ir_program *dh_instrument(struct ir_program const *program, enum dh_instrument_locks locks,
                                 char const **why, struct ir_position *where);

#endif
