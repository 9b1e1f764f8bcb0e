/* Which bytes were called racy by whom: up to eight judges, and the address space as eight bits for
 * each of them in every cell. A byte is its address here, whatever it was allocated for.
 */
#ifndef DEADHEAT_DETECT_VERDICTS_H
#define DEADHEAT_DETECT_VERDICTS_H

#include "detect/space.h"

enum { DH_VERDICT_SIDES = 8 };

struct dh_verdicts {
    struct dh_space space;
};

void dh_verdicts_init(struct dh_verdicts *v, struct dh_arena *memory);
void dh_verdicts_add(struct dh_verdicts *v, unsigned side, uint64_t address, uint64_t size);

/* The bytes that one side has and the other has not, as ranges in ascending order; all of the
 * first side's where `but` is DH_VERDICT_SIDES. Returns how many bytes there are. */
typedef void dh_verdict_range(void *to, uint64_t address, uint64_t size);
uint64_t dh_verdicts_only(struct dh_verdicts const *v, unsigned side, unsigned but,
                          dh_verdict_range *range, void *to);

#endif
