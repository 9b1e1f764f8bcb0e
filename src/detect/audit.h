/* Whether the checks of a run were the right ones. For a trace that has the accesses and the checks
 * of the same run:
 *
 *   a check covers       of the same thread to the same byte, if it comes before with no release of
 *   an access            that thread in between, or after with no acquire in between; and its kind
 *                        K races with all that the access's kind A does
 *   a check is           if it comes before with no acquire in between, or after with no release;
 *   legitimate for one   and K races with nothing that A does not
 *
 * Every byte of an access is to be covered, every byte of a check legitimate for some access. Where
 * all are, the checks race exactly where the accesses do ("BigFoot", appendix B). A byte that was
 * allocated in between is not the same byte.
 *
 * Atomic operations, allocations and frees are checks as well as accesses, of themselves among
 * others; an atomic operation is after what it acquires and before what it releases.
 *
 * What could still be put right when the trace ended is a class of its own, "pending": an access
 * with neither an acquire nor a release after it, a check with no acquire after it.
 *
 * It takes one pass, and memory for each cell and each thread that touches it.
 */
#ifndef DEADHEAT_DETECT_AUDIT_H
#define DEADHEAT_DETECT_AUDIT_H

#include "trace/event.h"
#include "util/arena.h"

enum dh_flaw_class {
    DH_UNCOVERED,      /* an access that no check covers: a race could have been missed */
    DH_ILLEGITIMATE,   /* a check that stands for no access: a false report was possible */
    DH_PENDING_ACCESS, /* at the end of the trace */
    DH_PENDING_CHECK,
    DH_FLAW_CLASSES,
};

/* Some bytes of one cell. Where an access (or check) is repeated before anything comes that decides
 * about it, only the first is told. */
struct dh_flaw {
    enum dh_flaw_class class;
    uint64_t event;
    struct dh_trace_event access; /* or check */
    uint64_t address, size;
};
typedef void dh_flaw_found(void *to, struct dh_flaw const *flaw);

struct dh_audit;
struct dh_audit *dh_audit_create(struct dh_arena *memory, dh_flaw_found *found, void *to);
void dh_audit_step(struct dh_audit *audit, uint64_t index, struct dh_trace_event const *event);
void dh_audit_end(struct dh_audit *audit);

#endif
