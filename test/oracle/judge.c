/* Holds recorded runs against the definition of a data race.
 *
 *   judge TRACE...
 *
 * A recorded trace holds the bytes that the running detector found racy, as `race` events. They must be
 * exactly the bytes with two conflicting accesses that are not ordered by happens-before, as each precise
 * detector over traces finds them: the definition itself, where the trace is short enough for it to compare
 * all pairs, and the others; of a very long one, FastTrack alone. A byte that is allocated anew is a new byte.
 *
 * One line for each trace; exit status 1 if the running detector was wrong about any, 2 if one is broken.
 */
#include "detect/detector.h"
#include "trace/trace.h"
#include "util/diag.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAGE = 4096,
    BUCKETS = 1 << 14,
    DEFINITION_MAX = 20000, /* events: what it compares in a second */
    CLOCKS_MAX = 2000000,   /* what those with vector clocks judge in a second */
    SHOWN = 5,
};
enum { LIVE = 1, DEFINED = 2 }; /* who found a byte racy */

struct page {
    uint64_t base;
    struct page *next;
    unsigned char found[PAGE];
};

struct judgement {
    struct page *pages[BUCKETS];
    uint64_t events, racy, wrong;
    char const *detector;
};

/* ---- racy bytes ---- */

static struct page **bucket(struct judgement *j, uint64_t base) {
    return &j->pages[base / PAGE * UINT64_C(0x9e3779b97f4a7c15) >> 50];
}

static struct page *page_at(struct judgement *j, uint64_t base) {
    struct page **head = bucket(j, base), *p = *head;
    while (p && p->base != base)
        p = p->next;
    if (p) return p;
    p = calloc(1, sizeof *p);
    if (!p) dh_fail("out of memory");
    p->base = base;
    p->next = *head;
    return *head = p;
}

static void add(struct judgement *j, uint64_t address, uint64_t size, unsigned who) {
    for (uint64_t a = address; a < address + size; a++)
        page_at(j, a - a % PAGE)->found[a % PAGE] |= (unsigned char)who;
}

static void found(void *to, struct dh_finding const *f) { add(to, f->address, f->size, DEFINED); }

/* The bytes of the page from `from` to `last` have had their life. */
static void compare_page(struct judgement *j, struct page *p, uint64_t from, uint64_t last) {
    for (unsigned i = 0; i < PAGE; i++) {
        uint64_t a = p->base + i;
        if (p->found[i] == 0 || a < from || a > last) continue;
        j->racy++;
        if (p->found[i] != (LIVE | DEFINED) && j->wrong++ < SHOWN)
            printf("  byte 0x%" PRIx64 ", before event %" PRIu64 ": racy only by %s\n", a,
                   j->events, p->found[i] == LIVE ? "the running detector" : j->detector);
        p->found[i] = 0;
    }
}

static void compare(struct judgement *j, uint64_t from, uint64_t last) {
    for (unsigned b = 0; b < BUCKETS; b++)
        for (struct page *p = j->pages[b]; p; p = p->next)
            if (p->base <= last && from <= p->base + PAGE - 1) compare_page(j, p, from, last);
}

static void pages_free(struct judgement *j) {
    for (unsigned b = 0; b < BUCKETS; b++)
        for (struct page *p = j->pages[b], *next; p; p = next) {
            next = p->next;
            free(p);
        }
}

/* ---- traces ---- */

/* False: it is broken. */
static bool judge(char const *path, struct dh_detector const *detector, struct judgement *j) {
    struct dh_trace_error error;
    struct dh_trace_reader *reader = dh_trace_open(path, &error);
    struct dh_arena memory = {0};
    struct dh_trace_event event;
    int more = reader ? 1 : -1;
    void *state = detector->create(&memory, found, j);
    j->detector = detector->name;
    while (more > 0 && (more = dh_trace_next(reader, &event, &error)) > 0) {
        if (event.op == DH_OP_ALLOC) compare(j, event.address, event.address + event.size - 1);
        if (event.op == DH_OP_RACE)
            add(j, event.address, event.size, LIVE);
        else if (event.op != DH_OP_CHECK)
            detector->step(state, j->events, &event);
        j->events++;
    }
    compare(j, 0, UINT64_MAX);
    if (more < 0) printf("  %s, byte %" PRIu64 ": %s\n", path, error.offset, error.message);
    if (reader) dh_trace_close(reader);
    dh_arena_release(&memory);
    pages_free(j);
    return more == 0;
}

static uint64_t events_of(char const *path) {
    struct dh_trace_error error;
    struct dh_trace_reader *reader = dh_trace_open(path, &error);
    struct dh_trace_event event;
    uint64_t events = 0;
    while (reader && dh_trace_next(reader, &event, &error) > 0)
        events++;
    if (reader) dh_trace_close(reader);
    return events;
}

static int judge_all(char const *path) {
    int status = 0;
    struct judgement last = {0};
    uint64_t events = events_of(path);
    bool short_enough = events <= DEFINITION_MAX;
    for (size_t i = 0; i < DH_DETECTORS && status < 2; i++) {
        struct dh_detector const *detector = dh_detectors[i];
        if (!detector->precise || (detector == &dh_definition && !short_enough)) continue;
        if (detector != &dh_fasttrack && events > CLOCKS_MAX) continue;
        struct judgement *j = calloc(1, sizeof *j);
        if (!j) dh_fail("out of memory");
        if (!judge(path, detector, j)) status = 2;
        if (j->wrong && status == 0) status = 1;
        last = *j;
        free(j);
    }
    printf("%s: %" PRIu64 " events, %" PRIu64 " racy bytes, %s%s\n", path, last.events, last.racy,
           status == 2   ? "broken"
           : status == 1 ? "wrong"
                         : "as defined",
           short_enough ? "" : " (too long for the definition itself)");
    return status;
}

int main(int argc, char **argv) {
    int status = 0;
    if (argc < 2) dh_fail("usage: judge TRACE...");
    for (int i = 1; i < argc; i++) {
        int one = judge_all(argv[i]);
        if (one > status) status = one;
    }
    return status;
}
