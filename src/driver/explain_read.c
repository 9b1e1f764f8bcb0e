#include "driver/explain.h"

#include "util/diag.h"
#include "util/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIELDS_MOST = 14 };

char const *const dh_explain_fates[EXPLAIN_FATES] = {"checked", "covered", "exempt"};

__attribute__((noreturn)) static void strange(void) {
    dh_fail("the compiler plugin did not say what was expected of it; this is a bug in deadheat");
}

/* Room for one more item behind `count` of them: doubled whenever the count is a power of two. */
static void *more(void *list, size_t count, size_t size) {
    if (count & (count - 1)) return list;
    void *p = realloc(list, (count ? 2 * count : 1) * size);
    if (!p) dh_fail("out of memory");
    return p;
}

static char const *word(char const *field) { return dh_text_equal(field, "-") ? NULL : field; }

static uint64_t number(char const *field, uint64_t none) {
    char *end;
    if (dh_text_equal(field, "-")) return none;
    errno = 0;
    uint64_t value = strtoull(field, &end, 10);
    if (errno != 0 || *end != '\0' || end == field) strange();
    return value;
}

/* Files below the directory that one works in are known there by shorter names. */
static char const *file_name(char const *field) {
    static char *here;
    if (!here && !(here = getcwd(NULL, 0))) here = "";
    char const *below = *here ? dh_text_after(field, here) : NULL;
    return below && *below == '/' ? below + 1 : word(field);
}

static struct explain_place place(char **fields) {
    return (struct explain_place){file_name(fields[0]), number(fields[1], 0), number(fields[2], 0)};
}

static void add_function(struct explained *e, char **f) {
    e->functions = more(e->functions, e->count, sizeof *e->functions);
    e->functions[e->count++] =
        (struct explain_function){.name = f[0], .place = {file_name(f[1]), number(f[2], 0), 0}};
}

static void add_check(struct explain_function *in, char **f) {
    in->checks = more(in->checks, in->check_count, sizeof *in->checks);
    if (number(f[0], EXPLAIN_NONE) != in->check_count) strange();
    in->checks[in->check_count++] = (struct explain_check){.place = place(f + 1),
                                                           .form = f[4],
                                                           .kind = f[5],
                                                           .bytes = number(f[6], 0),
                                                           .stride = (int64_t)number(f[7], 0),
                                                           .more = number(f[8], 0),
                                                           .only = (int64_t)number(f[9], 0)};
}

static void add_call(struct explain_function *in, char **f) {
    in->calls = more(in->calls, in->call_count, sizeof *in->calls);
    in->calls[in->call_count++] = place(f);
}

static bool fate_named(char const *name, enum explain_fate *fate) {
    for (unsigned i = 0; i < EXPLAIN_FATES; i++) {
        *fate = (enum explain_fate)i;
        if (dh_text_equal(name, dh_explain_fates[i])) return true;
    }
    return false;
}

static void add_access(struct explain_function *in, char **f) {
    in->accesses = more(in->accesses, in->access_count, sizeof *in->accesses);
    struct explain_access a = {.place = place(f),
                               .kind = f[3],
                               .bytes = number(f[4], 0),
                               .check = number(f[5], EXPLAIN_NONE),
                               .reason = f[7],
                               .why = f[8],
                               .call = place(f + 9)};
    if (!fate_named(f[6], &a.fate)) strange();
    if (a.check != EXPLAIN_NONE && a.check >= in->check_count) strange();
    in->accesses[in->access_count++] = a;
}

struct explained dh_explain_read(FILE *in) {
    struct explained e = {0};
    char *line = NULL, *fields[FIELDS_MOST];
    size_t room = 0;
    ssize_t length;
    bool first = true;
    while ((length = getline(&line, &room, in)) > 0) {
        size_t count = 0;
        if (line[length - 1] == '\n') line[length - 1] = '\0';
        char *rest = dh_text_format("%s", line); /* the fields stay in it */
        for (char *field; count < FIELDS_MOST && (field = strsep(&rest, "\t"));)
            fields[count++] = field;
        struct explain_function *last = e.count ? &e.functions[e.count - 1] : NULL;
        if (first) {
            if (!dh_text_equal(fields[0], "deadheat-explain")) strange();
            first = false;
        } else if (dh_text_equal(fields[0], "function") && count == 4)
            add_function(&e, fields + 1);
        else if (last && dh_text_equal(fields[0], "call") && count == 4)
            add_call(last, fields + 1);
        else if (last && dh_text_equal(fields[0], "check") && count == 11)
            add_check(last, fields + 1);
        else if (last && dh_text_equal(fields[0], "access") && count == 13)
            add_access(last, fields + 1);
        else
            strange();
    }
    free(line);
    if (ferror(in)) dh_fail("cannot read what the compiler plugin said: %s", strerror(errno));
    if (first) dh_fail("nothing was compiled: only C and C++ sources can be explained");
    return e;
}
