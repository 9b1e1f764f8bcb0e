#include "rt/audit.h"
#include "rt/shadow.h"
#include "rt/state.h"
#include "rt/stats.h"
#include "rt/tape.h"

#define EXPORT __attribute__((visibility("default")))

/* Under the conditions under which the detector would look at it (dh_judge_begin). */
static void tape(void const *p, size_t size, bool check, uint32_t write, uintptr_t pc) {
    uintptr_t address = (uintptr_t)p;
    enum dh_kind kind = write ? DH_WRITE : DH_READ;
    if (dh_alone_still() || size == 0 || !dh_has_shadow(address, size)) return;
    struct dh_thread *self = dh_self();
    if (self->ignoring != 0) return;
    self->stats[check ? DH_STAT_checks : DH_STAT_accesses]++;
    dh_critical_enter();
    if (!dh_recording)
        ;
    else if (check)
        dh_tape_check(self, kind, address, size, pc);
    else
        dh_tape_plain(self, kind, address, size, pc);
    dh_critical_leave();
}

static void tape_masked(void const *p, uint64_t mask, uint32_t lanes, uint32_t lane_size,
                        bool check, uint32_t write, uintptr_t pc) {
    for (uint32_t i = 0; i < lanes; i++)
        if (mask >> i & 1)
            tape((char const *)p + (size_t)i * lane_size, lane_size, check, write, pc);
}

static void tape_scattered(void const *const *ps, uint64_t mask, uint32_t lanes, uint32_t lane_size,
                           bool check, uint32_t write, uintptr_t pc) {
    for (uint32_t i = 0; i < lanes; i++)
        if (mask >> i & 1) tape(ps[i], lane_size, check, write, pc);
}

/* What the detector is asked from here on is this check, not an access of its own. */
static void check_begins(void) {
    if (!dh_alone_still()) dh_self()->in_check = DH_CHECK_TOLD;
}

EXPORT void __dh_audit_checked(void) {
    if (__dh_tls.self) __dh_tls.self->in_check = DH_CHECK_NONE;
}

EXPORT void __dh_audit_access(void const *p, size_t size, uint32_t write) {
    tape(p, size, false, write, DH_HERE.pc);
}
EXPORT void __dh_audit_masked(void const *p, uint64_t mask, uint32_t lanes, uint32_t lane_size,
                              uint32_t write) {
    tape_masked(p, mask, lanes, lane_size, false, write, DH_HERE.pc);
}
EXPORT void __dh_audit_scattered(void const *const *ps, uint64_t mask, uint32_t lanes,
                                 uint32_t lane_size, uint32_t write) {
    tape_scattered(ps, mask, lanes, lane_size, false, write, DH_HERE.pc);
}

EXPORT void __dh_audit_check(void const *p, size_t size, uint32_t write) {
    tape(p, size, true, write, DH_HERE.pc);
    check_begins();
}
EXPORT void __dh_audit_check_masked(void const *p, uint64_t mask, uint32_t lanes,
                                    uint32_t lane_size, uint32_t write) {
    tape_masked(p, mask, lanes, lane_size, true, write, DH_HERE.pc);
    check_begins();
}
EXPORT void __dh_audit_check_scattered(void const *const *ps, uint64_t mask, uint32_t lanes,
                                       uint32_t lane_size, uint32_t write) {
    tape_scattered(ps, mask, lanes, lane_size, true, write, DH_HERE.pc);
    check_begins();
}

/* How far a run is checked is known when it is done (rt/access.c). What it then finds on record in
 * the running epoch was checked before, with no release in between. */
EXPORT void __dh_audit_check_run(void) {
    if (dh_alone_still()) return;
    dh_self()->in_check = DH_CHECK_TELLS;
    DH_COUNT(dh_self(), checks);
}
