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
static enum place_reason exempt_reason(struct ir_access const *access) {
    static enum place_reason const reasons[IR_EXEMPTS] = {
        [IR_CHECKABLE] = PLACE_KEPT,
#define X(name, text, why) [IR_EXEMPT_##name] = PLACE_##name,
#include "ir/exempt.def"
#undef X
    };
    return reasons[access->exempt];
}

static void *grown(void *list, size_t count, size_t size) {
    void *p = realloc(list, count * size);
    if (!p) abort();
    return p;
}

void dh_placement_begin(struct placement *p, struct ir_accesses const *accesses) {
    p->count = 0;
    if (p->fates_capacity < accesses->count) {
        p->fates_capacity = accesses->capacity;
        p->fates = grown(p->fates, p->fates_capacity, sizeof *p->fates);
    }
    for (size_t i = 0; i < accesses->count; i++)
        p->fates[i] = (struct place_fate){exempt_reason(&accesses->list[i]), PLACE_NO_CHECK};
}

uint32_t dh_placement_add(struct placement *p, struct ir_accesses const *accesses,
                          struct place_check check) {
    if (p->count == p->capacity) {
        p->capacity = p->capacity ? 2 * p->capacity : 64;
        p->checks = grown(p->checks, p->capacity, sizeof *p->checks);
    }
    uint32_t number = (uint32_t)p->count++;
    p->checks[number] = check;
    p->fates[check.access - accesses->list].check = number;
    return number;
}

void dh_placement_free(struct placement *p) {
    free(p->checks);
    free(p->fates);
    *p = (struct placement){0};
}

void dh_place_count(struct placement const *p, struct ir_accesses const *accesses,
                    struct place_stats *stats) {
    for (size_t i = 0; i < accesses->count; i++) {
        if (p->fates[i].reason == PLACE_KEPT) {
            assert(p->fates[i].check != PLACE_NO_CHECK);
            stats->kept++;
        } else {
            stats->dropped[p->fates[i].reason]++;
        }
    }
    for (size_t i = 0; i < p->count; i++)
        stats->runs += p->checks[i].run;
    stats->accesses += accesses->count;
    stats->functions++;
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
