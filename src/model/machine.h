/* The machine that runs a model program, one step of one thread at a time.
 *
 *   step       one access to something shared or one synchronisation (or one atomic block), and
 *              then whatever the thread does by itself up to its next one. What a thread does by
 *              itself is never seen by others, so nothing is lost by not interleaving it.
 *   state      everything that a step can change, in one block of memory: copying is memcpy.
 *   footprint  what a step shares with other threads' steps. Two steps of different threads whose
 *              footprints do not conflict can be exchanged: same state, same later steps.
 *
 *   Invariant: a running thread stands before an instruction that is visible to others. A thread
 * that fails an assertion, makes an error or has used up its steps stops where it is, with the
 * locks that it holds, and the others go on. So these things happen to a thread, whatever the
 * others do that it cannot see.
 *
 * Memory is words. Region 0 holds the globals; region 1 + t is the heap of thread t, so that what
 * an allocation returns does not depend on what other threads allocate.
 */
#ifndef DEADHEAT_MODEL_MACHINE_H
#define DEADHEAT_MODEL_MACHINE_H

#include "ir/program.h"
#include "trace/event.h"

enum { DH_MODEL_THREADS = 16 };

struct dh_limits {
    uint32_t steps; /* instructions that one thread may execute */
    uint32_t stack; /* words, for programs that recurse */
    uint32_t heap;  /* words a thread, for programs that allocate */
};
#define DH_LIMITS_DEFAULT ((struct dh_limits){.steps = 10000, .stack = 256, .heap = 256})

enum dh_status { DH_WAITS_FOR_SPAWN, DH_RUNS, DH_ENDED, DH_FAILED, DH_ERROR, DH_OUT_OF_STEPS };

struct dh_model_thread {
    enum dh_status status;
    uint32_t number; /* in traces: by the order of forks */
    uint32_t steps;
    uint32_t function, block, index; /* the next instruction */
    uint32_t frame, top;             /* of its stack */
    uint32_t heap;                   /* words in use */
    char const *error;
    struct ir_position stopped; /* where it failed or made its error */
};

struct dh_state {
    uint32_t forks;
    struct dh_model_thread threads[DH_MODEL_THREADS];
    int64_t words[];
};

struct dh_machine {
    struct ir_program const *program;
    struct dh_limits limits;
    uint32_t threads;
    uint32_t *global_at; /* the first word of each global in region 0 */
    bool *starts;        /* this word of region 0 is the start of an object or array */
    uint32_t global_words, stack_words, heap_words;
    size_t state_size;
    struct dh_state *scratch;
};

/* ---- Footprints ---- */
enum dh_touch {
    DH_TOUCH_READ,
    DH_TOUCH_WRITE,
    DH_TOUCH_ACQUIRE,
    DH_TOUCH_RELEASE,
    DH_TOUCH_START, /* of thread `where` */
    DH_TOUCH_END,
    DH_TOUCH_WAIT,
};

enum { DH_FOOTPRINT = 32 };

struct dh_footprint {
    uint32_t count; /* more than DH_FOOTPRINT: it touches everything */
    struct dh_touched {
        uint64_t where;
        enum dh_touch how;
    } touched[DH_FOOTPRINT];
};

enum dh_dependence {
    DH_INDEPENDENT,
    DH_ORDERED,  /* the second could not have come first: an exit and who waited for it */
    DH_HANDOVER, /* a release and an acquire: the acquire that goes with the release decides */
    DH_CONFLICT, /* either could come first */
};
/* Of a step and a later one by another thread. */
enum dh_dependence dh_dependence(struct dh_footprint const *first,
                                 struct dh_footprint const *second);

/* ---- Running ---- */
struct dh_step {
    struct dh_footprint footprint;
    struct dh_trace_event *events; /* appended to; owned by the caller */
    size_t count, capacity;
};

void dh_machine_init(struct dh_machine *machine, struct ir_program const *program,
                     struct dh_limits limits);
void dh_machine_free(struct dh_machine *machine);
struct dh_state *dh_state_new(struct dh_machine const *machine);
void dh_state_copy(struct dh_machine const *machine, struct dh_state *to,
                   struct dh_state const *from);

/* The beginning: main and the threads that nobody spawns stand before their first steps. */
void dh_machine_begin(struct dh_machine const *machine, struct dh_state *state,
                      struct dh_step *step);
bool dh_machine_enabled(struct dh_machine const *machine, struct dh_state *state, uint32_t thread);
/* Of a running thread, enabled or not: what its next step would touch now. */
void dh_machine_next(struct dh_machine const *machine, struct dh_state *state, uint32_t thread,
                     struct dh_footprint *footprint);
/* Only if enabled. step->footprint is what it touched; events are appended. */
void dh_machine_step(struct dh_machine const *machine, struct dh_state *state, uint32_t thread,
                     struct dh_step *step);

/* ---- Memory ---- the words of a region, and what an address in traces is. */
int64_t *dh_state_region(struct dh_machine const *machine, struct dh_state const *state,
                         uint32_t region);
uint64_t dh_address(uint32_t region, uint32_t word);
/* The value of a shared scalar by its name; false: there is none. */
bool dh_state_global(struct dh_machine const *machine, struct dh_state const *state,
                     char const *name, int64_t *value);

/* ---- Inside the machine (evaluate.c for step.c) ---- */
struct dh_evaluation {
    struct dh_machine const *machine;
    struct dh_state *state;
    uint32_t thread;
    char const *error; /* the first; null: none */
};

/* What a reference stands for. */
struct dh_block_view {
    uint64_t address;
    int64_t *header; /* DH_HEADER words, then the fields or elements */
};
enum { DH_HEADER = 3, DH_HEADER_KIND = 0, DH_HEADER_LENGTH = 1, DH_HEADER_OWNER = 2 };
enum { DH_KIND_ARRAY = -1, DH_KIND_ATOMIC_ARRAY = -2 }; /* others are classes */

/* What a place stands for. */
struct dh_spot {
    uint64_t address;
    int64_t *word;
    bool atomic;
};

enum { DH_FRAME_WORDS = 5 }; /* in front of a frame's locals */

int64_t *dh_machine_locals(struct dh_machine const *machine, struct dh_state *state,
                           uint32_t thread);
int64_t dh_evaluate(struct dh_evaluation *evaluation, ir_expression expression);
struct dh_block_view dh_evaluate_block(struct dh_evaluation *evaluation, int64_t reference);
struct dh_spot dh_evaluate_place(struct dh_evaluation *evaluation, struct ir_place place);

#endif
