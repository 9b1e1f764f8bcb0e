#include "driver/replay.h"

#include "trace/names.h"

enum { RANGES_SHOWN = 4 };

static char const *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static void side(struct replay const *r, char const *role, uint64_t index,
                 struct dh_trace_event const *e) {
    char const *site = e->site ? dh_trace_site(r->reader, e->site) : NULL;
    printf("  %s %s of %lu byte%s at 0x%lx by thread %u, event %lu", role, dh_op_names[e->op],
           e->size, plural(e->size), e->address, e->thread, index);
    if (site)
        printf(", at %s", site);
    else if (e->site)
        printf(", at site %u", e->site);
    putchar('\n');
}

static void race(struct replay const *r, struct dh_evidence_group const *group) {
    struct dh_evidence_item const *item = group->item;
    struct dh_finding const *f = &item->finding;
    printf("race on %lu byte%s at 0x%lx", f->size, plural(f->size), f->address);
    if (group->count > 1) printf(", %lu times like this", group->count);
    putchar('\n');
    side(r, "later:  ", f->event, &item->later);
    if (item->earlier.op != DH_OP_COUNT)
        side(r, "earlier:", item->earlier_index, &item->earlier);
    else
        printf("  earlier: %s by thread %u, one of the events %lu to %lu\n",
               dh_kind_names[f->other_kind], f->other_thread, f->first, f->last);
}

/* The first few of some ranges, on one line. */
static void range(void *to, uint64_t address, uint64_t size) {
    unsigned *shown = to;
    if (*shown < RANGES_SHOWN) printf("%s0x%lx+%lu", *shown ? ", " : " (", address, size);
    if (*shown == RANGES_SHOWN) printf(", ...");
    ++*shown;
}

static uint64_t difference(struct replay const *r, unsigned side_, unsigned but) {
    return dh_verdicts_only(&r->verdicts, side_, but, NULL, NULL);
}

static void bytes(struct replay const *r, unsigned side_, unsigned but) {
    unsigned shown = 0;
    uint64_t count = difference(r, side_, but);
    printf("%lu byte%s", count, plural(count));
    dh_verdicts_only(&r->verdicts, side_, but, range, &shown);
    if (shown) putchar(')');
}

static void judge(struct replay const *r, struct replay_judge const *j) {
    if (j->left_out) {
        printf("%s: left out, the trace is too long for it\n", j->detector->name);
        return;
    }
    if (j->bytes == 0)
        printf("%s: no race", j->detector->name);
    else
        printf("%s: %u race%s on %lu byte%s, %lu finding%s", j->detector->name, j->race_count,
               plural(j->race_count), j->bytes, plural(j->bytes), j->evidence.found,
               plural(j->evidence.found));
    printf("%s\n", j->detector->precise ? "" : " (not precise)");
    if (j->evidence.found > j->evidence.count)
        printf("  only the first %u findings were looked into\n", j->evidence.count);
}

static void differences(struct replay const *r) {
    char const *reference = replay_reference(r)->detector->name;
    for (unsigned i = 0; i < DH_DETECTORS; i++) {
        struct replay_judge const *j = &r->judges[i];
        if (!j->detector || j->left_out || i == r->reference) continue;
        if (difference(r, i, r->reference) + difference(r, r->reference, i) == 0) continue;
        printf("%s differs from %s: finds ", j->detector->name, reference);
        bytes(r, i, r->reference);
        printf(" more, misses ");
        bytes(r, r->reference, i);
        putchar('\n');
    }
}

static void live(struct replay const *r) {
    if (r->live_reports == 0 || !replay_reference(r)->detector->precise) return;
    char const *reference = replay_reference(r)->detector->name;
    if (!replay_disagrees(r)) {
        printf("the run reported the same bytes\n");
        return;
    }
    printf("the run DISAGREES with %s: it reported ", reference);
    bytes(r, REPLAY_LIVE, r->reference);
    printf(" that do not race, and did not report ");
    bytes(r, r->reference, REPLAY_LIVE);
    printf(" that do\n");
}

static void audit(struct replay const *r) {
    static char const *const classes[DH_FLAW_CLASSES] = {
        [DH_UNCOVERED] = "not covered by a check:",
        [DH_ILLEGITIMATE] = "not legitimate:",
        [DH_PENDING_ACCESS] = "not covered when the trace ended:",
        [DH_PENDING_CHECK] = "not yet legitimate when the trace ended:",
    };
    if (!r->audit) return;
    for (uint32_t i = 0; i < r->flaw_count; i++) {
        struct dh_flaw const *f = &r->flaws[i].flaw;
        if (f->class >= DH_PENDING_ACCESS) continue;
        printf("%s %lu byte%s at 0x%lx", classes[f->class], f->size, plural(f->size), f->address);
        if (r->flaws[i].count > 1) printf(", %lu times like this", r->flaws[i].count);
        putchar('\n');
        side(r, f->access.op == DH_OP_CHECK ? dh_kind_names[f->access.kind] : "the", f->event,
             &f->access);
    }
    printf("audit: %lu accesses, %lu not covered; %lu checks, %lu not legitimate; pending at the "
           "end: %lu accesses, %lu checks\n",
           r->accesses, r->flaws_found[DH_UNCOVERED], r->checks, r->flaws_found[DH_ILLEGITIMATE],
           r->flaws_found[DH_PENDING_ACCESS], r->flaws_found[DH_PENDING_CHECK]);
    if (r->checks == 0 && r->accesses > 0)
        printf("  the trace has no checks: was the program built with --audit?\n");
}

void replay_text(struct replay const *r) {
    struct replay_judge const *reference = replay_reference(r);
    for (uint32_t i = 0; i < reference->race_count; i++)
        race(r, &reference->races[i]);
    printf("%s: %lu event%s, %u thread%s\n", r->path, r->events, plural(r->events), r->threads,
           plural(r->threads));
    for (unsigned i = 0; i < DH_DETECTORS; i++)
        if (r->judges[i].detector) judge(r, &r->judges[i]);
    differences(r);
    live(r);
    audit(r);
}
