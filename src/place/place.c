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
        {"fasttrack", dh_place_every}, {"redcard", dh_place_redcard},
        {"slimstate", dh_place_every}, {"slimcard", dh_place_redcard},
        {"bigfoot", dh_place_bigfoot},
    };
    for (size_t i = 0; i < sizeof detectors / sizeof *detectors; i++)
        if (strcmp(detectors[i].name, detector) == 0) return detectors[i].place;
    return NULL;
}

bool dh_place_uses_summaries(place_function *place) { return place != dh_place_every; }

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

static void free_shared(struct placement *p) {
    for (struct place_group *g = p->groups, *next; g; g = next) {
        next = g->next;
        free(g);
    }
    p->groups = NULL;
    for (struct place_sheaf *sheaf = p->sheaves, *next; sheaf; sheaf = next) {
        next = sheaf->next;
        free(sheaf);
    }
    p->sheaves = NULL;
}

void dh_placement_begin(struct placement *p, struct ir_accesses const *accesses) {
    p->count = 0;
    free_shared(p);
    if (p->fates_capacity < accesses->count) {
        p->fates_capacity = accesses->capacity;
        p->fates = grown(p->fates, p->fates_capacity, sizeof *p->fates);
    }
    for (size_t i = 0; i < accesses->count; i++)
        p->fates[i] = (struct place_fate){exempt_reason(&accesses->list[i]), PLACE_NO_CHECK, 0};
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
    free_shared(p);
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
    for (size_t i = 0; i < p->count; i++) {
        stats->runs += p->checks[i].sheaf != NULL;
        stats->groups += p->checks[i].group != NULL;
    }
    stats->accesses += accesses->count;
    stats->functions++;
}

static struct {
    char const *name, *why;
} const reasons[] = {
#define X(name, text, why) {text, why},
#include "place/reasons.def"
#undef X
    [PLACE_KEPT] = {"kept", "a check of its own"},
};

char const *dh_place_reason_name(enum place_reason reason) { return reasons[reason].name; }
char const *dh_place_reason_why(enum place_reason reason) { return reasons[reason].why; }

static void print_line(FILE *out, uint64_t count, char const *name, char const *why) {
    fprintf(out, "%12llu %-12s %s\n", (unsigned long long)count, name, why);
}

void dh_place_print(struct place_stats const *s, char const *module, FILE *out) {
    fprintf(out, "deadheat: checks placed in %s\n", module);
    print_line(out, s->functions, "functions", "were looked at");
    print_line(out, s->kept, reasons[PLACE_KEPT].name, reasons[PLACE_KEPT].why);
    for (unsigned i = 0; i < PLACE_REASONS; i++)
        print_line(out, s->dropped[i], reasons[i].name, reasons[i].why);
    print_line(out, s->accesses, "accesses", "all of these");
    print_line(out, s->runs, "runs", "checks kept that stand for rounds of a loop");
    print_line(out, s->groups, "groups", "checks kept that stand for a group");
}
