/* What all placements share: the list of checks, the table of detectors and the statistics. */
#include "place/place.h"
#include "ir/access.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

place_function *dh_place_of(char const *detector) {
    static struct {
        char const *name;
        place_function *place;
    } const detectors[] = {
        {"fasttrack", dh_place_every},
        {"redcard", dh_place_redcard},
        {"bigfoot", dh_place_bigfoot},
    };
    for (size_t i = 0; i < sizeof detectors / sizeof *detectors; i++)
        if (strcmp(detectors[i].name, detector) == 0) return detectors[i].place;
    return NULL;
}

/* Every exemption is a reason; the converse does not hold. */
enum place_reason dh_place_exempt(struct ir_access const *access) {
    static enum place_reason const reasons[IR_EXEMPTS] = {
#define X(name, text, why) [IR_EXEMPT_##name] = PLACE_##name,
#include "ir/exempt.def"
#undef X
    };
    assert(access->exempt != IR_CHECKABLE);
    return reasons[access->exempt];
}

void dh_placement_add(struct placement *p, struct place_check check) {
    if (p->count == p->capacity) {
        p->capacity = p->capacity ? 2 * p->capacity : 64;
        p->checks = realloc(p->checks, p->capacity * sizeof *p->checks);
        if (!p->checks) abort();
    }
    p->checks[p->count++] = check;
}

void dh_placement_free(struct placement *p) {
    free(p->checks);
    *p = (struct placement){0};
}

void dh_place_print(struct place_stats const *s, char const *module, FILE *out) {
    static struct {
        char const *text, *why;
    } const reasons[PLACE_REASONS] = {
#define X(name, text, why) {text, why},
#include "place/reasons.def"
#undef X
    };
    fprintf(out, "deadheat: checks placed in %s\n", module);
    fprintf(out, "%12llu %-12s were looked at\n", (unsigned long long)s->functions, "functions");
    fprintf(out, "%12llu %-12s a check of its own\n", (unsigned long long)s->kept, "kept");
    for (unsigned i = 0; i < PLACE_REASONS; i++)
        fprintf(out, "%12llu %-12s %s\n", (unsigned long long)s->dropped[i], reasons[i].text,
                reasons[i].why);
    fprintf(out, "%12llu %-12s all of these\n", (unsigned long long)s->accesses, "accesses");
    fprintf(out, "%12llu %-12s checks kept that stand before a loop\n", (unsigned long long)s->runs,
            "runs");
}
