/* Small programs of the model language, random ones and all of a kind, as lists of statements: they
 * can be printed, and made smaller while something about them stays true.
 */
#ifndef DEADHEAT_TEST_MODEL_PROGRAMS_H
#define DEADHEAT_TEST_MODEL_PROGRAMS_H

#include "ir/program.h"

enum { RANDOM_THREADS = 4, RANDOM_STATEMENTS = 8 };

enum statement_kind {
    S_READ,    /* r = x */
    S_WRITE,   /* x = k */
    S_COPY,    /* x = r */
    S_ADD,     /* x++ */
    S_ELEMENT, /* a[r % 2] = k */
    S_ACQUIRE,
    S_RELEASE,
    S_SPAWN,
    S_WAIT,
    S_ASSERT,                /* r <= k */
    S_PLAIN_KINDS,           /* those before are in the language of paper 002 */
    S_STORE = S_PLAIN_KINDS, /* f = k */
    S_LOAD,                  /* r = f */
    S_FETCH_ADD,
    S_CAS,
    S_AWAIT,
    S_ATOMIC, /* atomic { x0 = r; r = x1; } */
    S_KINDS
};

struct statement {
    enum statement_kind kind;
    uint8_t which; /* of two variables, locks or atomics; the thread */
    uint8_t value;
    bool guarded; /* only if r == value */
};

struct random_program {
    uint32_t threads;
    uint32_t count[RANDOM_THREADS];
    struct statement statements[RANDOM_THREADS][RANDOM_STATEMENTS];
};

/* Half of its statements are of the kinds from `first` to before `end`, half accesses and locks. */
struct random_program random_program(uint64_t seed, enum statement_kind first,
                                     enum statement_kind end, uint32_t statements);
/* Every program of main and one thread, with up to `longest` statements each, about one variable
 * and one lock; main may also spawn the thread and wait for it. False: there are not so many. */
bool small_program(uint64_t index, uint32_t longest, struct random_program *program);

char const *random_text(struct random_program const *program); /* valid until the next call */
struct ir_program *random_parsed(struct random_program const *program);

/* The smallest that still `fails` when statements are left out one by one. */
struct random_program random_shrunk(struct random_program program,
                                    bool (*fails)(void *context, struct random_program const *),
                                    void *context);

#endif
