#include "rt/tape.h"
#include "report/race.h"
#include "rt/audit.h"
#include "rt/options.h"
#include "rt/state.h"
#include "rt/tape_file.h"
#include "rt/tape_sites.h"
#include "trace/encode.h"

#include <stdlib.h>
#include <sys/syscall.h>

/* What the tape knows of a thread. */
struct dh_tape {
    uint32_t era;
    uint32_t number;  /* of the thread in the trace: by the order of forks */
    uint64_t pending; /* the number of the mark after the accesses now being made, or 0 */
    bool ended;
    struct dh_encoder *encoder; /* null until there is something to write, and after the end */
};

bool dh_recording;
uint32_t dh_tape_era;

static uint64_t last_number;
static uint64_t last_birth; /* the number of the last event that forgets a history */
static uint64_t last_object;
static uint32_t threads; /* in this trace */
static bool begun;
static long process; /* that records */

/* Encoders of threads that have ended, for those that come. */
static struct {
    struct dh_mutex lock;
    struct dh_encoder *free; /* linked by their first bytes */
} pool;

static struct dh_encoder *encoder_new(void) {
    dh_mutex_lock(&pool.lock);
    struct dh_encoder *e = pool.free;
    if (e) pool.free = *(struct dh_encoder **)e;
    dh_mutex_unlock(&pool.lock);
    if (!e) e = dh_pages(sizeof *e);
    if (!e) dh_die("out of memory: no room for what a thread records");
    return e;
}

static void encoder_free(struct dh_encoder *e) {
    dh_mutex_lock(&pool.lock);
    *(struct dh_encoder **)e = pool.free;
    pool.free = e;
    dh_mutex_unlock(&pool.lock);
}

/* ---- writing ---- */

static void flush(struct dh_tape *tape) {
    void const *bytes;
    size_t size = dh_encoder_close(tape->encoder, &bytes);
    if (size > 0) dh_tape_write(bytes, size);
}

static uint64_t number_take(void) { return __atomic_add_fetch(&last_number, 1, __ATOMIC_SEQ_CST); }

/* Whoever merges the threads puts events without a number right before their thread's next number.
 * So the first of them takes one, for a mark that follows the last of them: they stand where the
 * first was made. */
static void close_accesses(struct dh_tape *tape) {
    if (tape->pending == 0) return;
    if (!dh_encoder_has_room(tape->encoder)) flush(tape);
    dh_encode_mark(tape->encoder, tape->pending);
    tape->pending = 0;
}

static struct dh_tape *tape_new(void) {
    struct dh_tape *tape = dh_alloc(sizeof *tape);
    tape->era = dh_tape_era;
    tape->number = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
    return tape;
}

/* The thread's first event. Its number, or that of the mark after it, is taken after its fork's. */
DH_COLD static struct dh_tape *tape_start(struct dh_thread *self) {
    if (!self->tape || self->tape->era != dh_tape_era) self->tape = tape_new();
    if (self->tape->ended) return 0;
    self->tape->encoder = encoder_new();
    dh_encoder_begin(self->tape->encoder, self->tape->number);
    return self->tape;
}

/* Null: the thread has ended, and libc does this on its behalf. */
static inline struct dh_tape *tape_of(struct dh_thread *self) {
    struct dh_tape *tape = self->tape;
    if (DH_UNLIKELY(!tape || !tape->encoder || tape->era != dh_tape_era)) tape = tape_start(self);
    return tape;
}

static inline __attribute__((always_inline)) uint64_t put(struct dh_thread *self,
                                                          struct dh_trace_event const *event) {
    struct dh_tape *tape = tape_of(self);
    if (!tape) return 0;
    uint64_t number = 0;
    if (dh_sequenced(event->op)) {
        close_accesses(tape);
        number = number_take();
    } else if (DH_UNLIKELY(__atomic_load_n(&last_birth, __ATOMIC_ACQUIRE) >= tape->pending)) {
        close_accesses(tape);
        tape->pending = number_take();
    }
    if (DH_UNLIKELY(!dh_encode(tape->encoder, event, number))) {
        flush(tape);
        dh_encode(tape->encoder, event, number);
    }
    return number;
}

/* ---- accesses ---- */

static void put_birth(struct dh_thread *self, uintptr_t address, size_t size, uintptr_t pc) {
    struct dh_trace_event event = {
        .op = DH_OP_ALLOC, .site = dh_tape_site(pc), .address = address, .size = size};
    uint64_t number = put(self, &event), seen = __atomic_load_n(&last_birth, __ATOMIC_RELAXED);
    while (seen < number
           && !__atomic_compare_exchange_n(&last_birth, &seen, number, false, __ATOMIC_SEQ_CST,
                                           __ATOMIC_RELAXED)) {}
}

/* An access of a trace has at most 4 GB. */
static inline __attribute__((always_inline)) void put_access(struct dh_thread *self,
                                                             struct dh_trace_event event) {
    size_t const most = (size_t)1 << 32;
    for (size_t left = event.size - 1; DH_UNLIKELY(left >= most);
         left -= most, event.address += most) {
        event.size = most;
        put(self, &event);
        event.size = left - most + 1;
    }
    put(self, &event);
}

void dh_tape_plain(struct dh_thread *self, enum dh_kind kind, uintptr_t address, size_t size,
                   uintptr_t pc) {
    struct dh_trace_event event = {.op = kind == DH_READ ? DH_OP_READ : DH_OP_WRITE,
                                   .site = dh_tape_site(pc),
                                   .address = address,
                                   .size = size};
    put_access(self, event);
}

void dh_tape_access(struct dh_thread *self, enum dh_kind kind, uint32_t flags, uintptr_t address,
                    size_t size, uintptr_t pc) {
    if (flags & DH_ACCESS_ALLOC) {
        put_birth(self, address, size, pc);
    } else if (flags & DH_ACCESS_FREE) {
        put(self,
            &(struct dh_trace_event){
                .op = DH_OP_FREE, .site = dh_tape_site(pc), .address = address, .size = size});
    } else if (self->in_check != DH_CHECK_TOLD) {
        bool check = self->in_check == DH_CHECK_TELLS;
        if (check || dh_audited()) dh_tape_check(self, kind, address, size, pc);
        if (!check) dh_tape_plain(self, kind, address, size, pc);
    }
}

DH_SLOW void dh_tape_quick(struct dh_thread *self, enum dh_kind kind, uintptr_t address,
                           size_t size, uintptr_t pc) {
    dh_tape_access(self, kind, 0, address, size, pc);
}

void dh_tape_check(struct dh_thread *self, enum dh_kind kind, uintptr_t address, size_t size,
                   uintptr_t pc) {
    struct dh_trace_event event = {.op = DH_OP_CHECK,
                                   .kind = (uint8_t)kind,
                                   .site = dh_tape_site(pc),
                                   .address = address,
                                   .size = size};
    put_access(self, event);
}

/* Atomics of a trace have sizes that there are instructions for. One of another size, which is only
 * ever used as a whole (rt/atomics.c), is several: nobody comes between them. */
void dh_tape_atomic(struct dh_thread *self, enum dh_op op, uintptr_t address, size_t size,
                    uint32_t order, uintptr_t pc) {
    enum { LARGEST = 16 };
    struct dh_trace_event event = {
        .op = (uint8_t)op, .order = (uint8_t)order, .site = dh_tape_site(pc)};
    for (size_t done = 0; done < size; done += event.size) {
        event.address = address + done;
        event.size = LARGEST;
        while (event.size > size - done || event.address % event.size != 0)
            event.size /= 2;
        put(self, &event);
    }
}

void dh_tape_fence(struct dh_thread *self, uint32_t order) {
    put(self, &(struct dh_trace_event){.op = DH_OP_FENCE, .order = (uint8_t)order});
}

void dh_tape_race(struct dh_thread *self, uintptr_t address, size_t bytes) {
    put(self, &(struct dh_trace_event){.op = DH_OP_RACE, .address = address, .size = bytes});
}

void dh_tape_fresh(struct dh_thread *self, uintptr_t address, size_t size) {
    put_birth(self, address, size, 0);
}

/* ---- threads and objects ---- */

uint64_t dh_tape_new_object(void) { return __atomic_add_fetch(&last_object, 1, __ATOMIC_RELAXED); }

void dh_tape_object(struct dh_thread *self, enum dh_op op, uint64_t object, uintptr_t pc) {
    struct dh_trace_event event = {
        .op = (uint8_t)op, .site = pc ? dh_tape_site(pc) : 0, .address = object};
    put(self, &event);
}

void dh_tape_fork(struct dh_thread *self, struct dh_thread *child) {
    tape_of(self); /* the first thread is number 0 */
    child->tape = tape_new();
    put(self, &(struct dh_trace_event){.op = DH_OP_FORK, .address = child->tape->number});
}

void dh_tape_forked_thread(struct dh_thread *self) {
    struct dh_tape *tape = tape_of(self);
    if (!tape) return;
    close_accesses(tape);
    flush(tape);
}

void dh_tape_exit(struct dh_thread *self) {
    struct dh_tape *tape = tape_of(self);
    if (!tape) return;
    put(self, &(struct dh_trace_event){.op = DH_OP_EXIT});
    flush(tape);
    encoder_free(tape->encoder);
    tape->encoder = 0;
    tape->ended = true;
}

/* The first thread's end is not noticed when it happens (rt/intercept/thread.c). */
void dh_tape_join(struct dh_thread *self, struct dh_thread *joined) {
    if (!joined->tape || joined->tape->era != dh_tape_era) return;
    dh_tape_exit(joined);
    put(self, &(struct dh_trace_event){.op = DH_OP_JOIN, .address = joined->tape->number});
}

void dh_tape_adopt(struct dh_thread *self) {
    uint64_t everything = dh_tape_new_object();
    struct dh_thread *parent = 0;
    for (struct dh_thread *t = dh_live_threads; t; t = t->next_live) {
        if (t == self) continue;
        dh_tape_object(t, DH_OP_SIGNAL, everything, 0);
        parent = t;
    }
    if (parent) dh_tape_fork(parent, self);
    dh_tape_object(self, DH_OP_WAIT, everything, 0);
}

/* ---- beginning and end ---- */

void dh_tape_init(void) {
    process = dh_syscall(SYS_getpid);
    if (*dh_options.record) dh_recording = dh_tape_open(dh_options.record);
    dh_live_threads->recorded = dh_recording; /* there is one */
}

static void begin(struct dh_thread *first) {
    begun = true;
    dh_tape_sites_init();
    dh_critical_enter();
    tape_of(first);
    dh_critical_leave();
    dh_locks_tape(first);
}

void dh_tape_begin(void) {
    if (dh_recording) begin(dh_live_threads); /* there is one: the second may be the running one */
}

/* Fibers that go on in the child, ordered after all that was. */
static void fork_fibers(struct dh_thread *self) {
    dh_critical_enter();
    for (struct dh_thread *t = dh_live_threads; t; t = t->next_live)
        if (t != self) dh_tape_fork(self, t);
    dh_critical_leave();
}

/* What the parent has not written yet is the parent's. */
void dh_tape_forked(void) {
    if (!dh_recording) return;
    dh_tape_era++;
    process = dh_syscall(SYS_getpid);
    last_number = last_birth = last_object = threads = 0;
    pool.free = 0;
    pool.lock.state = 0;
    begun = false;
    dh_tape_reopen();
    if (dh_alone_now || !dh_live_threads) return;
    struct dh_thread *self = __dh_tls.self ? __dh_tls.self : dh_live_threads;
    begin(self);
    fork_fibers(self);
}

bool dh_tape_ours(void) { return dh_recording && dh_syscall(SYS_getpid) == process; }

void dh_tape_stop(void) {
    if (!dh_tape_ours()) return;
    dh_world_stop();
    dh_recording = false;
    for (struct dh_thread *t = dh_live_threads; t; t = t->next_live)
        if (t->tape && t->tape->era == dh_tape_era && t->tape->encoder) {
            close_accesses(t->tape);
            flush(t->tape);
        }
    dh_world_go();
}

void dh_tape_finish(void) {
    if (begun) dh_tape_sites_write();
    if (begun || dh_tape_era == 0) dh_tape_close(last_number);
}
