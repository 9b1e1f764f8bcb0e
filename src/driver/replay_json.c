/* The shape is "deadheat-replay/1"; docs/detectors.md describes it. */
#include "driver/replay.h"

#include "report/json_out.h"
#include "trace/names.h"

static void print(void *to, char const *text, size_t length) { fwrite(text, 1, length, to); }

static struct json_writer json;

static void bytes(uint64_t address, uint64_t size) {
    json_hex(&json, "address", true, address);
    json_number(&json, "size", size);
}

static void event(struct replay const *r, char const *name, bool known, uint64_t index,
                  struct dh_trace_event const *e) {
    json_key(&json, name);
    if (!known) {
        json_put(&json, "null");
        return;
    }
    json_open(&json, "{");
    json_number(&json, "event", index);
    json_number(&json, "thread", e->thread);
    json_text(&json, "operation", dh_op_names[e->op]);
    bytes(e->address, e->size);
    json_number(&json, "site", e->site);
    json_text(&json, "place", e->site ? dh_trace_site(r->reader, e->site) : NULL);
    json_close(&json, "}");
}

static void race(struct replay const *r, struct dh_evidence_group const *group) {
    struct dh_evidence_item const *item = group->item;
    json_separate(&json);
    json_open(&json, "{");
    bytes(item->finding.address, item->finding.size);
    json_number(&json, "count", group->count);
    event(r, "first", item->earlier.op != DH_OP_COUNT, item->earlier_index, &item->earlier);
    event(r, "second", true, item->finding.event, &item->later);
    json_close(&json, "}");
}

enum { RANGES_MOST = 1000 };

static void range(void *to, uint64_t address, uint64_t size) {
    unsigned *shown = to;
    if ((*shown)++ >= RANGES_MOST) return;
    json_separate(&json);
    json_open(&json, "{");
    bytes(address, size);
    json_close(&json, "}");
}

/* Some bytes: how many, and where. */
static void ranges(struct replay const *r, char const *name, unsigned side, unsigned but) {
    unsigned shown = 0;
    json_key(&json, name);
    json_open(&json, "{");
    json_number(&json, "bytes", dh_verdicts_only(&r->verdicts, side, but, NULL, NULL));
    json_key(&json, "ranges");
    json_open(&json, "[");
    dh_verdicts_only(&r->verdicts, side, but, range, &shown);
    json_close(&json, "]");
    json_bool(&json, "complete", shown <= RANGES_MOST);
    json_close(&json, "}");
}

static void detector(struct replay const *r, unsigned side) {
    struct replay_judge const *j = &r->judges[side];
    json_separate(&json);
    json_open(&json, "{");
    json_text(&json, "name", j->detector->name);
    json_bool(&json, "precise", j->detector->precise);
    json_text(&json, "verdict", j->left_out ? "left-out" : j->bytes > 0 ? "races" : "none");
    if (!j->left_out) {
        json_number(&json, "findings", j->evidence.found);
        ranges(r, "racy", side, DH_VERDICT_SIDES);
        if (side != r->reference) {
            ranges(r, "more", side, r->reference);
            ranges(r, "missed", r->reference, side);
        }
        json_key(&json, "races");
        json_open(&json, "[");
        for (uint32_t i = 0; i < j->race_count; i++)
            race(r, &j->races[i]);
        json_close(&json, "]");
    }
    json_close(&json, "}");
}

static void live(struct replay const *r) {
    json_key(&json, "live");
    json_open(&json, "{");
    json_number(&json, "reports", r->live_reports);
    json_bool(&json, "agrees", !replay_disagrees(r));
    ranges(r, "only_live", REPLAY_LIVE, r->reference);
    ranges(r, "only_judged", r->reference, REPLAY_LIVE);
    json_close(&json, "}");
}

static void audit(struct replay const *r) {
    static char const *const classes[DH_FLAW_CLASSES] = {
        [DH_UNCOVERED] = "uncovered",
        [DH_ILLEGITIMATE] = "illegitimate",
        [DH_PENDING_ACCESS] = "pending_access",
        [DH_PENDING_CHECK] = "pending_check",
    };
    json_key(&json, "audit");
    if (!r->audit) {
        json_put(&json, "null");
        return;
    }
    json_open(&json, "{");
    json_number(&json, "accesses", r->accesses);
    json_number(&json, "checks", r->checks);
    for (unsigned c = 0; c < DH_FLAW_CLASSES; c++)
        json_number(&json, classes[c], r->flaws_found[c]);
    json_key(&json, "flaws");
    json_open(&json, "[");
    for (uint32_t i = 0; i < r->flaw_count; i++) {
        struct dh_flaw const *f = &r->flaws[i].flaw;
        json_separate(&json);
        json_open(&json, "{");
        json_text(&json, "class", classes[f->class]);
        json_text(&json, "kind",
                  f->access.op == DH_OP_CHECK ? dh_kind_names[f->access.kind] : NULL);
        bytes(f->address, f->size);
        json_number(&json, "count", r->flaws[i].count);
        event(r, "at", true, f->event, &f->access);
        json_close(&json, "}");
    }
    json_close(&json, "]");
    json_close(&json, "}");
}

void replay_json_begin(void) {
    json = (struct json_writer){.out = {print, stdout}};
    json_open(&json, "{");
    json_text(&json, "schema", "deadheat-replay/1");
    json_key(&json, "traces");
    json_open(&json, "[");
}

void replay_json(struct replay const *r) {
    json_separate(&json);
    json_open(&json, "{");
    json_text(&json, "trace", r->path);
    json_number(&json, "events", r->events);
    json_number(&json, "threads", r->threads);
    json_text(&json, "reference", replay_reference(r)->detector->name);
    json_key(&json, "detectors");
    json_open(&json, "[");
    for (unsigned i = 0; i < DH_DETECTORS; i++)
        if (r->judges[i].detector) detector(r, i);
    json_close(&json, "]");
    live(r);
    audit(r);
    json_close(&json, "}");
}

void replay_json_end(void) {
    json_close(&json, "]");
    json_close(&json, "}");
    json_put(&json, "\n");
}
