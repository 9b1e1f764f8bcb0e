/* Streams whose bytes come from and go to functions of the program's. libc calls these with the
 * stream locked: so what one does on a stream comes before what the next does there. (By way of the
 * functions that do not lock, too: they are for who has locked the stream.) */
#include "rt/intercept/table.h"
#include "rt/options.h"

#include <stdio.h>

/* One stream; the object that orders its calls. */
struct cookie {
    void *own; /* the program's */
    cookie_io_functions_t functions;
};

#define ORDERED(type, call)   \
    struct cookie *c = given; \
    dh_acquire(c);            \
    type result = call;       \
    dh_release_join(c);       \
    return result

static ssize_t reads(void *given, char *to, size_t room) {
    ORDERED(ssize_t, c->functions.read(c->own, to, room));
}

static ssize_t writes(void *given, char const *from, size_t size) {
    ORDERED(ssize_t, c->functions.write(c->own, from, size));
}

static int seeks(void *given, off64_t *at, int from) {
    ORDERED(int, c->functions.seek(c->own, at, from));
}

static int closes(void *given) {
    struct cookie *c = given;
    dh_acquire(c);
    int failed = c->functions.close ? c->functions.close(c->own) : 0;
    dh_sync_gone(c);
    dh_free(c, sizeof *c);
    return failed;
}

INTERCEPT(FILE *, fopencookie, (void *own, char const *mode, cookie_io_functions_t functions)) {
    struct dh_here here = DH_HERE;
    if (!dh_options.enabled) return REAL(fopencookie)(own, mode, functions);
    if (dh_checking()) READS_STRING(mode)
    struct cookie *c = dh_alloc(sizeof *c);
    *c = (struct cookie){own, functions};
    cookie_io_functions_t ours = {functions.read ? reads : 0, functions.write ? writes : 0,
                                  functions.seek ? seeks : 0, closes};
    FILE *f = REAL(fopencookie)(c, mode, ours);
    if (!f) dh_free(c, sizeof *c);
    return f;
}
