/* deadheat replay: judges recorded executions with a detector of one's choice.
 *
 * A trace is read once to judge it and, if there is anything to tell, a second time to find the
 * earlier event of each pair.
 */
#include "driver/replay.h"

#include "detect/events.h"
#include "driver/verb.h"
#include "util/diag.h"
#include "util/strings.h"
#include "util/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    DEFINITION_MOST = 20000, /* events; more would take it minutes, and --all goes on without it */
    BAR = 40,
    BAR_AFTER = 1, /* seconds of reading */
};

struct options {
    struct dh_strings traces;
    struct dh_detector const *detector;
    bool all, audit, json;
};

/* ---- arguments ---- */

static struct dh_detector const *detector_named(char const *name) {
    char const *names[DH_DETECTORS];
    for (unsigned i = 0; i < DH_DETECTORS; i++) {
        names[i] = dh_detectors[i]->name;
        if (dh_text_equal(name, names[i])) return dh_detectors[i];
    }
    char const *nearest = dh_text_nearest(name, names, DH_DETECTORS, sizeof *names);
    if (nearest) dh_fail("unknown detector '%s'; did you mean '%s'?", name, nearest);
    dh_fail("unknown detector '%s'; 'deadheat replay --help' lists them", name);
}

static void option(struct options *o, char const *argument) {
    static char const *const names[] = {"--detector=", "--all", "--audit", "--format="};
    char const *value;
    if ((value = dh_text_after(argument, "--detector="))) {
        o->detector = detector_named(value);
    } else if (dh_text_equal(argument, "--all")) {
        o->all = true;
    } else if (dh_text_equal(argument, "--audit")) {
        o->audit = true;
    } else if ((value = dh_text_after(argument, "--format="))) {
        o->json = dh_text_equal(value, "json");
        if (!o->json && !dh_text_equal(value, "text"))
            dh_fail("unknown format '%s'; there are text and json", value);
    } else {
        char const *nearest = dh_text_nearest(argument, names, 4, sizeof *names);
        if (nearest) dh_fail("unknown option '%s'; did you mean '%s'?", argument, nearest);
        dh_fail("unknown option '%s'; 'deadheat replay --help' lists what there is", argument);
    }
}

static struct options options_read(char **argv) {
    struct options o = {.detector = &dh_fasttrack};
    bool names_only = false;
    for (; *argv; argv++) {
        if (!names_only && dh_text_equal(*argv, "--"))
            names_only = true;
        else if (!names_only && (*argv)[0] == '-' && (*argv)[1] != '\0')
            option(&o, *argv);
        else
            dh_strings_push(&o.traces, *argv);
    }
    if (o.traces.count == 0) dh_fail("no trace to judge");
    return o;
}

/* ---- reading ---- */

__attribute__((noreturn)) static void bad_trace(char const *path,
                                                struct dh_trace_error const *error) {
    if (error->line)
        dh_fail("%s:%lu: %s (byte %lu)", path, error->line, error->message, error->offset);
    dh_fail("%s: %s (byte %lu)", path, error->message, error->offset);
}

static struct dh_trace_reader *open_trace(char const *path) {
    struct dh_trace_error error;
    if (access(path, R_OK) != 0) dh_fail("%s: %s", path, strerror(errno));
    struct dh_trace_reader *reader = dh_trace_open(path, &error);
    if (!reader) bad_trace(path, &error);
    return reader;
}

/* A bar on the terminal while a trace takes long to read, and nothing of it afterwards. */
static void progress_show(struct dh_trace_reader const *reader, time_t began) {
    uint64_t at, size;
    dh_trace_progress(reader, &at, &size);
    if (size == 0 || time(NULL) - began < BAR_AFTER || !isatty(STDERR_FILENO)) return;
    int filled = (int)((double)at / (double)size * BAR);
    fprintf(stderr, "\r[%.*s%*s] %3d%%", filled, "########################################",
            BAR - filled, "", filled * 100 / BAR);
}

static void progress_end(time_t began) {
    if (time(NULL) - began >= BAR_AFTER && isatty(STDERR_FILENO))
        fprintf(stderr, "\r%*s\r", BAR + 10, "");
}

/* Every event of a trace, to somebody. */
static void for_events(struct replay *r,
                       void (*step)(struct replay *, uint64_t, struct dh_trace_event const *)) {
    struct dh_trace_error error;
    struct dh_trace_event event;
    uint64_t index = 0;
    time_t began = time(NULL);
    int more;
    r->reader = open_trace(r->path);
    while ((more = dh_trace_next(r->reader, &event, &error)) > 0) {
        step(r, index++, &event);
        if ((index & 0xfffff) == 0) progress_show(r->reader, began);
    }
    progress_end(began);
    if (more < 0) bad_trace(r->path, &error);
}

/* ---- judging ---- */

static void found(void *to, struct dh_finding const *finding) {
    struct replay_judge *j = to;
    dh_evidence_add(&j->evidence, finding, j->replay->event);
    dh_verdicts_add(&j->replay->verdicts, (unsigned)(j - j->replay->judges), finding->address,
                    finding->size);
}

static unsigned place_of(struct dh_detector const *detector) {
    unsigned i = 0;
    while (dh_detectors[i] != detector)
        i++;
    return i;
}

static void ask(struct replay *r, struct dh_detector const *detector) {
    struct replay_judge *j = &r->judges[place_of(detector)];
    j->detector = detector;
    j->replay = r;
    j->evidence.memory = &r->memory;
    j->state = detector->create(&j->memory, found, j);
    r->asked[r->asked_count++] = j;
}

/* The definition is the first that is asked, if it is. */
static void leave_definition_out(struct replay *r) {
    struct replay_judge *j = r->asked[0];
    dh_arena_release(&j->memory);
    j->evidence = (struct dh_evidence){.memory = &r->memory};
    j->left_out = true;
    memmove(r->asked, r->asked + 1, --r->asked_count * sizeof *r->asked);
    r->reference = place_of(&dh_fasttrack);
}

static void flaw_found(void *to, struct dh_flaw const *flaw) {
    struct replay *r = to;
    struct dh_trace_event const *e = &flaw->access;
    uint64_t kind = (uint64_t)flaw->class << 16 | e->op << 8 | e->kind;
    r->flaws_found[flaw->class]++;
    r->flaw_bytes[flaw->class] += flaw->size;
    uint64_t *known = e->site ? dh_table_at(&r->flaw_places, e->site, kind)
                              : dh_table_at(&r->flaw_places, flaw->address, kind | 1ull << 32);
    if (*known == 0) {
        r->flaws = dh_arena_grow(&r->memory, r->flaws, &r->flaw_room, (uint64_t)r->flaw_count + 1,
                                 sizeof *r->flaws);
        r->flaws[r->flaw_count++] = (struct replay_flaw){*flaw, 0};
        *known = r->flaw_count;
    }
    r->flaws[*known - 1].count++;
}

static void judge_event(struct replay *r, uint64_t index, struct dh_trace_event const *event) {
    r->event = event;
    r->events++;
    if (event->thread >= r->threads) r->threads = event->thread + 1;
    if (dh_event_kind(event) != DH_KINDS) {
        r->accesses++;
    } else if (event->op == DH_OP_CHECK) {
        r->checks++;
    } else if (event->op == DH_OP_RACE) {
        r->live_reports++;
        dh_verdicts_add(&r->verdicts, REPLAY_LIVE, event->address, event->size);
    }
    for (unsigned i = 0; i < r->asked_count; i++)
        r->asked[i]->detector->step(r->asked[i]->state, index, event);
    if (r->audit) dh_audit_step(r->audit, index, event);
    if (r->events == DEFINITION_MOST && r->asked_count > 1) leave_definition_out(r);
}

static void evidence_event(struct replay *r, uint64_t index, struct dh_trace_event const *event) {
    for (unsigned i = 0; i < r->asked_count; i++)
        dh_evidence_step(&r->asked[i]->evidence, index, event);
}

static void judge(struct replay *r, struct options const *o) {
    dh_verdicts_init(&r->verdicts, &r->memory);
    if (o->all)
        for (unsigned i = 0; i < DH_DETECTORS; i++)
            ask(r, dh_detectors[i]);
    else
        ask(r, o->detector);
    r->reference = o->all ? 0 : place_of(o->detector);
    if (o->audit) r->audit = dh_audit_create(&r->memory, flaw_found, r);
    for_events(r, judge_event);
    if (r->audit) dh_audit_end(r->audit);

    bool found_any = false;
    for (unsigned i = 0; i < r->asked_count; i++) {
        dh_arena_release(&r->asked[i]->memory);
        dh_evidence_begin(&r->asked[i]->evidence);
        found_any |= r->asked[i]->evidence.count > 0;
    }
    if (found_any) {
        dh_trace_close(r->reader);
        for_events(r, evidence_event);
    }
    for (unsigned i = 0; i < r->asked_count; i++) {
        struct replay_judge *j = r->asked[i];
        j->race_count = dh_evidence_groups(&j->evidence, &j->races);
        j->bytes =
            dh_verdicts_only(&r->verdicts, place_of(j->detector), DH_VERDICT_SIDES, NULL, NULL);
    }
}

bool replay_disagrees(struct replay const *r) {
    return dh_verdicts_only(&r->verdicts, REPLAY_LIVE, r->reference, NULL, NULL) > 0
           || dh_verdicts_only(&r->verdicts, r->reference, REPLAY_LIVE, NULL, NULL) > 0;
}

static bool anything_to_report(struct replay const *r) {
    return replay_reference(r)->bytes > 0 || r->live_reports > 0 || r->flaws_found[DH_UNCOVERED] > 0
           || r->flaws_found[DH_ILLEGITIMATE] > 0;
}

static void replay_close(struct replay *r) {
    dh_trace_close(r->reader);
    dh_table_free(&r->flaw_places);
    dh_arena_release(&r->memory);
}

/* Nothing is printed before all is judged: a bad trace leaves no half of an answer. */
int dh_replay_run(struct dh_verb const *verb, char **argv) {
    struct options o = options_read(argv);
    struct replay *replays = calloc(o.traces.count, sizeof *replays);
    bool reported = false;
    (void)verb;
    if (!replays) dh_fail("out of memory");
    for (size_t i = 0; i < o.traces.count; i++) {
        replays[i].path = o.traces.items[i];
        judge(&replays[i], &o);
        reported |= anything_to_report(&replays[i]);
    }
    if (o.json) replay_json_begin();
    for (size_t i = 0; i < o.traces.count; i++) {
        (o.json ? replay_json : replay_text)(&replays[i]);
        replay_close(&replays[i]);
    }
    if (o.json) replay_json_end();
    free(replays);
    if (fflush(stdout) != 0 || ferror(stdout)) dh_fail("cannot write: %s", strerror(errno));
    return reported ? DH_EXIT_RACES : DH_EXIT_OK;
}

void dh_replay_help(struct dh_verb const *verb) {
    (void)verb;
    puts("Judges recorded executions: which bytes were accessed by two threads, in conflict and\n"
         "with no order between them. A trace is recorded by a program that deadheat built, with\n"
         "DEADHEAT_OPTIONS=record=FILE, or written by hand; docs/traces.md has its forms.\n");
    puts("  --detector=NAME   who judges; fasttrack if nothing is said:");
    for (unsigned i = 0; i < DH_DETECTORS; i++)
        printf("      %-14s%s\n", dh_detectors[i]->name, dh_detectors[i]->about);
    puts("  --all             all of them, and where they differ\n"
         "  --audit           for a trace with the accesses and the checks of a run: whether each\n"
         "                    access was covered by a check, and each check legitimate\n"
         "  --format=FORMAT   text or json\n"
         "\n"
         "What the program reported itself while it was recorded is compared with the judgement.\n"
         "The exit status is 0 if there is nothing to report, 1 if there is, 2 if a trace could\n"
         "not be judged.");
}
