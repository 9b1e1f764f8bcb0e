/* Executes one trace (traces.py says what its lines mean) and prints the races that deadheat reports.
 *
 * Order is forced: event i runs when `turn` is i, in the thread it names, while all other threads wait in
 * functions that deadheat does not look at. So for the detector only the trace's own synchronisation is
 * there, and every run of a trace is the same execution.
 *
 * deadheat reports a pair of places in the code once. Hence each event has code of its own for what it does
 * to plain memory (access_N), so that a pair of places is a pair of events. Atomic operations are too many
 * for that: they share their code, and the judge makes allowance for it.
 *
 * Output: "race EVENT BLOCK OFFSET BYTES" for each report, with BLOCK -1 if the bytes are nobody's, and
 * "end" after the last event. The file is C and C++ alike: the languages differ in release sequences.
 */
#include <deadheat.h>

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 8, EVENTS = 256, BLOCKS = 5, LOCKS = 4, AREA = 112, BUFFER = 3000 };

/* clang-format off */
#define OPERATIONS(X)                                                                              \
    X(read) X(write) X(load) X(store) X(add) X(swap) X(compare) X(fence) X(malloc) X(free)         \
    X(create) X(join) X(lock) X(unlock) X(wrlock) X(rdlock) X(rwunlock) X(spinlock) X(spinunlock)  \
    X(post) X(wait) X(release) X(acquire) X(barrier)
/* clang-format on */

#define ENUMERATOR(name) OP_##name,
enum operation { OPERATIONS(ENUMERATOR) OPERATION_COUNT };
#define TEXT(name) #name,
static char const *const operation_names[] = {OPERATIONS(TEXT)};

struct event {
    int thread;
    enum operation operation;
    int block, offset, size, order; /* `offset` also numbers locks and threads */
};

/* The detector does not see what these functions do. */
#define UNSEEN __attribute__((no_sanitize("thread"), noinline))

static struct event events[EVENTS];
static int event_count;
static int turn;
static int returned; /* from the running barrier */

__attribute__((aligned(16))) static unsigned char area[AREA];
static struct {
    unsigned char *start;
    size_t size;
} blocks[BLOCKS]; /* 0 is the area, the others come and go */

static pthread_mutex_t mutexes[LOCKS];
static pthread_rwlock_t rwlocks[LOCKS];
static sem_t semaphores[LOCKS];
static pthread_barrier_t barriers[THREADS + 1]; /* by their number of threads */
static pthread_t threads[THREADS];

/* ---- accesses ---- */

#define PACKED(bits)          \
    struct packed##bits {     \
        uint##bits##_t value; \
    } __attribute__((packed))
PACKED(16);
PACKED(32);
PACKED(64);

/* One access by one instruction; the compiler is to know whether it is aligned. */
#define READ(bits)                           \
    if ((uintptr_t)p % (bits / 8) == 0)      \
        (void)*(uint##bits##_t volatile *)p; \
    else                                     \
        (void)((struct packed##bits volatile *)p)->value;
#define WRITE(bits)                        \
    if ((uintptr_t)p % (bits / 8) == 0)    \
        *(uint##bits##_t volatile *)p = 1; \
    else                                   \
        ((struct packed##bits volatile *)p)->value = 1;

__attribute__((always_inline)) static inline void read_bytes(unsigned char *p, int size) {
    unsigned char copy[BUFFER];
    switch (size) {
    case 1: (void)*(unsigned char volatile *)p; break;
    case 2: READ(16) break;
    case 4: READ(32) break;
    case 8: READ(64) break;
    default: memcpy(copy, p, (size_t)size); __asm__ volatile("" ::"r"(copy) : "memory");
    }
}

__attribute__((always_inline)) static inline void write_bytes(unsigned char *p, int size) {
    switch (size) {
    case 1: *(unsigned char volatile *)p = 1; break;
    case 2: WRITE(16) break;
    case 4: WRITE(32) break;
    case 8: WRITE(64) break;
    default: memset(p, 1, (size_t)size); __asm__ volatile("" ::"r"(p) : "memory");
    }
}

/* The code of one event that accesses memory. */
#define EVENT(n)                                                                             \
    static void *access_##n(enum operation op, void *p, int size) {                          \
        void *block = NULL;                                                                  \
        switch (op) {                                                                        \
        case OP_read: read_bytes((unsigned char *)p, size); break;                           \
        case OP_write: write_bytes((unsigned char *)p, size); break;                         \
        case OP_malloc: block = malloc((size_t)size); break;                                 \
        default: free(p);                                                                    \
        }                                                                                    \
        __asm__ volatile("# event " #n); /* no two are alike, and there are no tail calls */ \
        return block;                                                                        \
    }
#define EVENTS4(X, n) X(n##0) X(n##1) X(n##2) X(n##3)
#define EVENTS16(X, n) EVENTS4(X, n##0) EVENTS4(X, n##1) EVENTS4(X, n##2) EVENTS4(X, n##3)
#define EVENTS64(X, n) EVENTS16(X, n##0) EVENTS16(X, n##1) EVENTS16(X, n##2) EVENTS16(X, n##3)
#define EVENTS256(X) EVENTS64(X, 0) EVENTS64(X, 1) EVENTS64(X, 2) EVENTS64(X, 3)
EVENTS256(EVENT)

#define NAME(n) access_##n,
static void *(*const accesses[EVENTS])(enum operation, void *, int) = {EVENTS256(NAME)};

/* The statement DO(order), with `order` as a constant: what is compiled depends on it. */
/* clang-format off */
#define IF(o, DO) case __ATOMIC_##o: DO(__ATOMIC_##o); break;
#define WITH_LOAD_ORDER(order, DO)                                                                 \
    switch (order) { IF(RELAXED, DO) IF(CONSUME, DO) IF(ACQUIRE, DO) IF(SEQ_CST, DO) }
#define WITH_STORE_ORDER(order, DO)                                                                \
    switch (order) { IF(RELAXED, DO) IF(RELEASE, DO) IF(SEQ_CST, DO) }
#define WITH_ORDER(order, DO)                                                                      \
    switch (order) {                                                                               \
        IF(RELAXED, DO) IF(CONSUME, DO) IF(ACQUIRE, DO) IF(RELEASE, DO) IF(ACQ_REL, DO)            \
        IF(SEQ_CST, DO)                                                                            \
    }
/* clang-format on */

#define LOAD(o) (void)__atomic_load_n(p, o)
#define STORE(o) __atomic_store_n(p, 1, o)
#define ADD(o) (void)__atomic_fetch_add(p, 1, o)
#define SWAP(o) (void)__atomic_compare_exchange_n(p, &value, 7, 0, o, __ATOMIC_RELAXED)
#define COMPARE(o) (void)__atomic_compare_exchange_n(p, &value, 7, 0, __ATOMIC_SEQ_CST, o)

/* `value` is the one that is there for a swap, which therefore succeeds, and another one for a
 * compare, which fails: it is a load of its order. */
#define DEFINE_ATOMIC(name, T)                                                                   \
    UNSEEN static T present_##name(T const *p) { return *p; }                                    \
    __attribute__((always_inline)) static inline void name(enum operation op, T *p, int order) { \
        T value = present_##name(p);                                                             \
        if (op == OP_compare) value++;                                                           \
        switch (op) {                                                                            \
        case OP_load: WITH_LOAD_ORDER(order, LOAD) break;                                        \
        case OP_store: WITH_STORE_ORDER(order, STORE) break;                                     \
        case OP_add: WITH_ORDER(order, ADD) break;                                               \
        case OP_swap: WITH_ORDER(order, SWAP) break;                                             \
        default: WITH_LOAD_ORDER(order, COMPARE)                                                 \
        }                                                                                        \
    }
DEFINE_ATOMIC(atomic1, uint8_t)
DEFINE_ATOMIC(atomic2, uint16_t)
DEFINE_ATOMIC(atomic4, uint32_t)
DEFINE_ATOMIC(atomic8, uint64_t)
DEFINE_ATOMIC(atomic16, unsigned __int128)

__attribute__((always_inline)) static inline void atomic(enum operation op, void *p, int size,
                                                         int order) {
    switch (size) {
    case 1: atomic1(op, (uint8_t *)p, order); break;
    case 2: atomic2(op, (uint16_t *)p, order); break;
    case 4: atomic4(op, (uint32_t *)p, order); break;
    case 8: atomic8(op, (uint64_t *)p, order); break;
    default: atomic16(op, (unsigned __int128 *)p, order);
    }
}

/* ---- events ---- */

static void *run(void *argument);

UNSEEN static void set_block(int block, void *start, int size) {
    blocks[block].start = (unsigned char *)start;
    blocks[block].size = (size_t)size;
}
UNSEEN static void set_thread(int number, pthread_t thread) { threads[number] = thread; }
UNSEEN static pthread_t get_thread(int number) { return threads[number]; }

static void start_thread(int number) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, (void *)(intptr_t)number) != 0) abort();
    set_thread(number, thread);
}

#define FENCE(o) __atomic_thread_fence(o)

/* `number` is the offset where it means a lock or a thread. */
static void synchronise(enum operation op, unsigned char *p, int number, int size, int order) {
    switch (op) {
    case OP_load:
    case OP_store:
    case OP_add:
    case OP_swap:
    case OP_compare: atomic(op, p, size, order); break;
    case OP_fence: WITH_ORDER(order, FENCE) break;
    case OP_create: start_thread(number); break;
    case OP_join: pthread_join(get_thread(number), NULL); break;
    case OP_lock: pthread_mutex_lock(&mutexes[number]); break;
    case OP_unlock: pthread_mutex_unlock(&mutexes[number]); break;
    case OP_wrlock: pthread_rwlock_wrlock(&rwlocks[number]); break;
    case OP_rdlock: pthread_rwlock_rdlock(&rwlocks[number]); break;
    case OP_rwunlock: pthread_rwlock_unlock(&rwlocks[number]); break;
    case OP_spinlock: pthread_spin_lock((pthread_spinlock_t *)p); break;
    case OP_spinunlock: pthread_spin_unlock((pthread_spinlock_t *)p); break;
    case OP_post: sem_post(&semaphores[number]); break;
    case OP_wait: sem_wait(&semaphores[number]); break;
    case OP_release: deadheat_release(p); break;
    case OP_acquire: deadheat_acquire(p); break;
    case OP_barrier: pthread_barrier_wait(&barriers[__builtin_popcount((unsigned)number)]); break;
    default: abort();
    }
}

UNSEEN static void perform(int i) {
    struct event e = events[i];
    unsigned char *start = blocks[e.block].start, *p = start ? start + e.offset : NULL;
    switch (e.operation) {
    case OP_read:
    case OP_write: accesses[i](e.operation, p, e.size); break;
    case OP_malloc: set_block(e.block, accesses[i](e.operation, NULL, e.size), e.size); break;
    case OP_free:
        accesses[i](e.operation, p, 0);
        set_block(e.block, NULL, 0);
        break;
    default: synchronise(e.operation, p, e.offset, e.size, e.order);
    }
}

/* ---- order ---- */

static int takes_part(struct event const *e, int thread) {
    return e->operation == OP_barrier ? e->offset >> thread & 1 : e->thread == thread;
}

UNSEEN static void await(int i) {
    while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != i)
        sched_yield();
}

/* A barrier is one event of several threads, and over when all have returned from it. */
UNSEEN static void done(int i) {
    if (events[i].operation == OP_barrier) {
        int all = __builtin_popcount((unsigned)events[i].offset);
        if (__atomic_add_fetch(&returned, 1, __ATOMIC_ACQ_REL) != all) return;
        returned = 0;
    }
    __atomic_store_n(&turn, i + 1, __ATOMIC_RELEASE);
}

UNSEEN static void *run(void *argument) {
    int self = (int)(intptr_t)argument;
    for (int i = 0; i < event_count; i++) {
        if (!takes_part(&events[i], self)) continue;
        await(i);
        perform(i);
        done(i);
    }
    return NULL;
}

/* ---- races ---- */

UNSEEN static unsigned long number_after(char const *json, char const *key, int base) {
    char const *found = strstr(json, key);
    if (!found) abort();
    return strtoul(found + strlen(key), NULL, base);
}

/* strstr and its family are seen wherever they are called: what they read here is no event. */
UNSEEN void deadheat_on_race(char const *json) {
    deadheat_ignore_begin();
    unsigned long address = number_after(json, "\"address\":\"", 16);
    unsigned long bytes = number_after(json, "\"bytes\":", 10);
    int block = BLOCKS - 1;
    while (block >= 0 && address - (uintptr_t)blocks[block].start >= blocks[block].size)
        block--;
    unsigned long offset = block < 0 ? 0 : address - (uintptr_t)blocks[block].start;
    dprintf(STDOUT_FILENO, "race %d %d %lu %lu\n", turn, block, offset, bytes);
    deadheat_ignore_end();
}

/* ---- the beginning ---- */

UNSEEN static enum operation operation_of(char const *name) {
    int op = 0;
    while (op < OPERATION_COUNT && strcmp(operation_names[op], name) != 0)
        op++;
    if (op == OPERATION_COUNT) abort();
    return (enum operation)op;
}

UNSEEN static void read_trace(FILE *from) {
    struct event e;
    char name[16];
    while (
        fscanf(from, "%d %15s %d %d %d %d", &e.thread, name, &e.block, &e.offset, &e.size, &e.order)
        == 6) {
        e.operation = operation_of(name);
        if (event_count == EVENTS) abort();
        events[event_count++] = e;
    }
}

UNSEEN static void initialise(void) {
    set_block(0, area, AREA);
    for (unsigned i = 0; i < LOCKS; i++) {
        pthread_mutex_init(&mutexes[i], NULL);
        pthread_rwlock_init(&rwlocks[i], NULL);
        sem_init(&semaphores[i], 0, 0);
    }
    for (unsigned i = 1; i <= THREADS; i++)
        pthread_barrier_init(&barriers[i], NULL, i);
    for (int i = 0; i < event_count; i++)
        if (events[i].operation == OP_spinlock)
            pthread_spin_init((pthread_spinlock_t *)(area + events[i].offset), 0);
}

int main(void) {
    read_trace(stdin);
    initialise();
    run(NULL);
    await(event_count);
    dprintf(STDOUT_FILENO, "end\n");
    _exit(0);
}
