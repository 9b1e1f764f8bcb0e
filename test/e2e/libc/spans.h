/* Functions of libc, and exactly the bytes that each may access. A family is a table
 *   #define CASES(X) X(name, preparation, call, span, ...) ...
 * between the two parts of this header: with what is here a table can be written, and RUN_CASES makes a program of
 * it. With RACES that program is one in which each call is seen to access the first and the last byte of every
 * span: another thread's conflicting access to just that byte is a race. Without, one in which no call accesses a
 * byte more: another thread writes all the others meanwhile, and reads those that are only read. */
#ifndef DEADHEAT_TEST_SPANS_H
#define DEADHEAT_TEST_SPANS_H

#include "test.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROOM = 192, SPANS = 8 };

/* All that the calls may access. */
struct buffers {
    _Alignas(64) char a[ROOM];
    char b[ROOM], c[ROOM];
    _Alignas(64) long n[16];
    char *p[8];
};
static struct buffers m;
static void *volatile kept; /* results, so that the calls stay */
static size_t volatile opaque;

struct span {
    void *at;
    size_t from, size;
    int write;
};

struct test {
    char const *name;
    void (*prepare)(void), (*call)(void);
    struct span spans[SPANS];
};

#define KEEP(e) (kept = (void *)(size_t)(e))
#define R(object, from, size) {m.object, from, size, 0}
#define W(object, from, size) {m.object, from, size, 1}
#define RO(object) {&m.object, 0, sizeof m.object, 0}
#define WO(object) {&m.object, 0, sizeof m.object, 1}
#define NOTHING {NULL, 0, 0, 0}
#define SET(object, text) ((void)memcpy(m.object, text, sizeof text))

/* Not known to the compiler. */
static inline size_t n(size_t value) { return value + opaque; }

static struct test const *now;
static char volatile *byte;
static int reads;
static char volatile value;
static int other;

static inline void *call(void *unused) {
    now->call();
    step();
    return unused;
}

static inline void *use_byte(void *unused) {
    step();
    if (reads)
        value = *byte;
    else
        *byte = 1;
    return unused;
}

static inline void prepare(void) {
    memset(&m, 0, sizeof m);
    now->prepare();
}

/* In a process of its own: like reports are folded. */
static inline int races(void) {
    pid_t pid = fork();
    if (pid == 0) {
        prepare();
        run_two(call, use_byte);
        exit(0);
    }
    int status;
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status));
    return WEXITSTATUS(status) == 66;
}

static inline int run_races(struct test const *tests, int count) {
    int missed = 0;
    for (now = tests; now < tests + count; now++)
        for (int s = 0; s < 2 * SPANS; s++) {
            struct span const *span = &now->spans[s / 2];
            if (!span->at) continue;
            byte = (char *)span->at + span->from + (s % 2 ? span->size - 1 : 0);
            reads = span->write;
            if (races()) continue;
            fprintf(stderr, "%s: the %s of byte %d is not seen\n", now->name, span->write ? "write" : "read",
                    (int)((char *)byte - (char *)&m));
            missed++;
        }
    return missed ? 1 : 66;
}

enum { READ_ONLY = 1, WRITTEN = 2 };

static inline int use_of(char const *p) {
    int use = 0;
    for (int i = 0; i < SPANS; i++) {
        struct span const *s = &now->spans[i];
        char const *from = (char *)s->at + s->from;
        if (s->at && p >= from && p < from + s->size) use |= s->write ? WRITTEN : READ_ONLY;
    }
    return use;
}

static inline void *use_the_rest(void *unused) {
    step();
    for (char volatile *p = (char *)&m; p < (char *)(&m + 1); p++) {
        int use = use_of((char *)p);
        if (use == 0) *p = 1;
        if (use == READ_ONLY) other += *p;
    }
    return unused;
}

static inline int run_no_races(struct test const *tests, int count) {
    for (now = tests; now < tests + count; now++) {
        prepare();
        run_two(call, use_the_rest);
    }
    return 0;
}

#ifdef RACES
#define RUN run_races
#else
#define RUN run_no_races
#endif

#define DEFINE_CASE(name, preparation, call, ...)                                                       \
    static void prepare_##name(void) { preparation; }                                                   \
    static void call_##name(void) { call; }
#define LIST_CASE(name, preparation, call, ...) {#name, prepare_##name, call_##name, {__VA_ARGS__}},
#define RUN_CASES()                                                                                     \
    CASES(DEFINE_CASE)                                                                                  \
    static struct test const tests[] = {CASES(LIST_CASE)};                                              \
    int main(void) { return RUN(tests, sizeof tests / sizeof *tests); }

#endif
