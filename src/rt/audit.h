/* What code built with `deadheat cc --audit` tells the tape (rt/tape.h): every access, whether a
 * check stands at it or not, and every check. `deadheat replay --audit` holds the two against each
 * other.
 *
 * These calls stand beside the checks of rt/abi.h and change nothing that those do. An access by
 * code that is not built so, and by the runtime on the program's behalf, is its own check; in a run
 * that is audited it is recorded as both.
 */
#ifndef DEADHEAT_RT_AUDIT_H
#define DEADHEAT_RT_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Defined by every module that is built so. */
extern char const __dh_audited __attribute__((weak));

/* Some code of the process is. */
static inline bool dh_audited(void) { return &__dh_audited != 0; }

/* An access, just before it happens; `write` is 0 or 1. */
void __dh_audit_access(void const *p, size_t size, uint32_t write);
void __dh_audit_masked(void const *p, uint64_t mask, uint32_t lanes, uint32_t lane_size,
                       uint32_t write);
void __dh_audit_scattered(void const *const *ps, uint64_t mask, uint32_t lanes, uint32_t lane_size,
                          uint32_t write);

/* Around the check itself: */
void __dh_audit_check(void const *p, size_t size, uint32_t write);
void __dh_audit_check_masked(void const *p, uint64_t mask, uint32_t lanes, uint32_t lane_size,
                             uint32_t write);
void __dh_audit_check_scattered(void const *const *ps, uint64_t mask, uint32_t lanes,
                                uint32_t lane_size, uint32_t write);
void __dh_audit_check_run(void); /* of a run: the runtime tells how far it gets */
void __dh_audit_checked(void);

#endif
