/* From a race as the shadow sees it to a report that a person can read. */
#ifndef DEADHEAT_RT_REPORT_H
#define DEADHEAT_RT_REPORT_H

#include "report/race.h"
#include "rt/stacks.h"

struct dh_thread;

struct dh_raw_lock {
    uintptr_t address;
    dh_stack_id stack; /* where it was taken */
    uint32_t reader;   /* or writer: 0 */
};

#define DH_RAW_LOCKS_MAX 64 /* of each side, in a report */

struct dh_raw_side {
    uint32_t flags;    /* enum dh_access_flags */
    uintptr_t address; /* of the whole access; 0 if no longer on record */
    uint32_t size;
    struct dh_thread *thread; /* never null: threads are remembered when they are gone */
    dh_stack_id stack;        /* 0: no longer on record */
    dh_stack_id taken_with;   /* a stack that was taken when this one was; 0: this one */
    bool locks_known;
    uint32_t lock_count;
    struct dh_raw_lock locks[DH_RAW_LOCKS_MAX];
};

/* For which libraries were there then (rt/libraries.h). */
static inline dh_stack_id dh_raw_age(struct dh_raw_side const *side) {
    return side->taken_with ? side->taken_with : side->stack;
}

struct dh_raw_race {
    uintptr_t address; /* the first racy byte */
    uint32_t bytes;
    struct dh_raw_side sides[2]; /* [0] found it, [1] was found */
    uintptr_t frame;             /* the finder's frame pointer, to look for stack variables */
};

/* What the runtime remembers of a thread, for a report. Strings stay valid. */
struct dh_raw_thread {
    uint32_t number, creator;
    uint64_t os_id;
    char name[16];
    bool running;
    dh_stack_id created;
    uintptr_t stack_low, stack_high; /* 0 if not known */
    uintptr_t tls_low, tls_high;
};
void dh_thread_describe(struct dh_thread const *thread, struct dh_raw_thread *to);
/* The thread on whose stack (or in whose TLS block) the address is, or null. */
struct dh_thread *dh_thread_of_stack(uintptr_t address);
/* The thread with this number, or null. */
struct dh_thread *dh_thread_by_number(uint32_t number);

/* At the start: reads the suppressions, and settles relative paths before the program can change
 * directory. */
void dh_report_prepare(void);
/* In a child of fork: its races are its own to find and count. */
void dh_report_forked(void);

/* Reports a race unless it is a repetition or suppressed. Called outside critical sections; several
 * threads may call at once. Does not come back if halt_on_error. */
void dh_report_race(struct dh_raw_race const *race);

/* At the end of the process: the summary line; returns how many distinct races were reported. */
uint64_t dh_report_finish(void);

/* The run ends here without a word: only what is recorded of it is completed (rt/tape.h). */
void dh_report_tape_end(void);

/* How many distinct races were reported so far. */
uint64_t dh_report_count(void);

#endif
