/* One race, as every form of report sees it. Plain data: whoever fills it in owns the strings, and
 * the formatters neither allocate nor keep anything. A field that is not known is null or zero, and
 * the formatters say nothing about it, or that it is no longer on record.
 */
#ifndef DEADHEAT_REPORT_RACE_H
#define DEADHEAT_REPORT_RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A source-level frame. One machine frame becomes several where functions were inlined. */
struct dh_frame {
    uint64_t pc;          /* in the process; inside the call, not behind it */
    char const *function; /* null: unknown */
    char const *file;
    uint32_t line, column;
    uint32_t start_line;    /* of the function; 0: unknown */
    char const *module;     /* path of the executable or library */
    uint64_t module_offset; /* of pc, as a virtual address in the module's file */
    bool inlined;           /* into the next frame */
    bool instrumented;      /* its module was built with deadheat */
    bool unloaded;          /* its module is no longer in the process */
};

struct dh_stack {
    struct dh_frame const *frames; /* innermost first */
    size_t count;
    bool truncated; /* there were more; they could not be followed or were not kept */
};

/* The frame is in code that was not built with deadheat, with our own further out: what was done
 * was reached through it. What is foreign all the way out is only how threads and programs
 * start. */
static inline bool dh_stack_foreign(struct dh_stack const *stack, size_t frame) {
    struct dh_frame const *frames = stack->frames;
    if (frames[frame].instrumented || !frames[frame].module) return false;
    for (size_t i = frame + 1; i < stack->count; i++)
        if (frames[i].instrumented) return true;
    return false;
}

struct dh_thread_info {
    bool known;              /* else the rest says nothing */
    uint32_t number;         /* 0 is the main thread; else in order of creation */
    uint64_t os_id;          /* the kernel's thread id */
    char const *name;        /* pthread_setname_np, or null */
    uint32_t creator;        /* number of the creating thread */
    bool running;            /* it has not ended */
    struct dh_stack created; /* where; empty for the main thread */
};

enum dh_lock_mode { DH_LOCK_WRITE, DH_LOCK_READ };

struct dh_held_lock {
    uint64_t address;
    uint32_t number; /* small stable name, M1, M2, ... */
    enum dh_lock_mode mode;
    char const *variable; /* symbol if it is a global, or null */
    struct dh_stack acquired;
};

enum dh_access_flags {
    DH_ACCESS_WRITE = 1,
    DH_ACCESS_ATOMIC = 2,
    DH_ACCESS_FREE = 4,
    DH_ACCESS_ALLOC = 8,
};

/* One side of the race. sides[0] is the access that found it, sides[1] the one it found. */
struct dh_side {
    uint32_t flags; /* enum dh_access_flags */
    uint64_t address;
    uint32_t size; /* 0: the size is no longer on record */
    struct dh_thread_info thread;
    struct dh_stack stack; /* count 0: no longer on record */
    char const *field;     /* what the source calls it: "struct node.next", or null */
    struct dh_held_lock const *locks;
    size_t lock_count;
    bool locks_known;
};

enum dh_memory {
    DH_MEMORY_UNKNOWN,
    DH_MEMORY_GLOBAL,
    DH_MEMORY_HEAP,
    DH_MEMORY_STACK,
    DH_MEMORY_TLS,
    DH_MEMORY_MAPPED,
};

/* What the racy bytes belong to. */
struct dh_object {
    enum dh_memory memory;
    uint64_t address; /* start of the variable, block or mapping; 0 if its bounds are not known */
    uint64_t size;
    char const *name;  /* variable */
    char const *field; /* path inside the variable, e.g. ".head.next" or "[3].x" */
    char const *file;  /* where the variable is declared */
    uint32_t line;
    char const *function;         /* of a stack variable */
    struct dh_thread_info thread; /* whose stack or TLS; who allocated */
    struct dh_stack allocated;    /* heap */
    bool freed;                   /* heap: the block had been freed */
    char const *module;           /* of a global; the file of a mapping */
    uint64_t module_offset;       /* of the first racy byte, for a global */
};

struct dh_race {
    uint64_t number; /* 1, 2, ... in this process */
    uint64_t pid;
    uint64_t address; /* the first racy byte */
    uint32_t bytes;   /* how many from there on */
    struct dh_side sides[2];
    struct dh_object object;
    uint64_t fingerprint;
    uint32_t common_locks; /* how many locks both sides held; a race with one is worth a remark */
};

/* Output is pieces of text, in order. */
typedef void dh_sink(void *to, char const *text, size_t length);

#endif
