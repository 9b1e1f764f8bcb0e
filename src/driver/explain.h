/* What `deadheat explain` shows: the checks of a file's functions, and what became of each access.
 * The plugin says it (emit/explain.c has the form).
 */
#ifndef DEADHEAT_DRIVER_EXPLAIN_H
#define DEADHEAT_DRIVER_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct explain_place {
    char const *file; /* null: nowhere */
    uint64_t line, column;
};

struct explain_check {
    struct explain_place place; /* where it is made */
    char const *form, *kind;
    uint64_t bytes; /* 0: not known to the compiler */
    int64_t stride; /* of a check for a loop: from round to round */
    uint64_t more;  /* rounds beyond the last */
    int64_t only;   /* not 0: of the last so many rounds; negative: of the first */
};

#define EXPLAIN_NONE UINT64_MAX

enum explain_fate {
    EXPLAIN_CHECKED, /* it has a check of its own */
    EXPLAIN_COVERED, /* others' checks stand for it */
    EXPLAIN_EXEMPT,  /* it needs none: nobody could race with it */
    EXPLAIN_FATES
};
extern char const *const dh_explain_fates[EXPLAIN_FATES];

struct explain_access {
    struct explain_place place;
    char const *kind;
    uint64_t bytes;
    uint64_t check; /* number of the check that stands for it in its function */
    enum explain_fate fate;
    char const *reason, *why;
    struct explain_place call; /* that has made the check; line 0: none */
};

struct explain_function {
    char const *name;
    struct explain_place place;
    struct explain_check *checks;
    struct explain_access *accesses;
    struct explain_place *calls; /* all there are of the function, if it relies on its callers */
    size_t check_count, access_count, call_count;
};

struct explained {
    char const *file, *detector;
    struct explain_function *functions;
    size_t count;
};

/* Reads what the plugin wrote. Text that it did not write ends the tool. */
struct explained dh_explain_read(FILE *in);

void dh_explain_text(struct explained const *e, bool colour, FILE *out);
void dh_explain_json(struct explained const *e, FILE *out);

#endif
