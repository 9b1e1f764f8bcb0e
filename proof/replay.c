/* Do the detectors of src/detect give the answers of the proved ones?
 *
 *   replay TRACES FIRST FULL
 *
 * judges each of the traces with every precise detector, and compares line by line with what the extracted judge
 * said: FIRST has the first race of each byte ("atomics" in judge.ml), FULL every racing event ("full"), which
 * only those detectors are asked for that promise it.
 */
#include "detect/detector.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 4096 };

static uint64_t found; /* the bytes of the running event, a bit each: addresses are small */
static void note(void *to, struct dh_finding const *f) {
    (void)to;
    for (uint64_t i = 0; i < f->size; i++)
        found |= 1ull << (f->address + i);
}

/* A detector, its state as it was before the first event, and what it says of the running trace. */
struct run {
    struct dh_detector const *detector;
    struct dh_arena memory;
    struct dh_arena_copy fresh;
    void *state;
    uint64_t told;
    char first[LINE], full[LINE];
};

static void fail(char const *format, char const *name, unsigned long number) {
    fprintf(stderr, format, name, number);
    exit(1);
}

static void append(char *line, uint64_t event, uint64_t bytes) {
    char const *gap = *line ? " " : "";
    line += strlen(line);
    line += sprintf(line, "%s%lu:", gap, event);
    for (unsigned b = 0, many = 0; b < 64; b++)
        if (bytes >> b & 1) line += sprintf(line, "%s0x%x", many++ ? "," : "", b);
}

static void run_event(struct run *r, uint64_t index, struct dh_trace_event const *e) {
    found = 0;
    /* What is allocated are new bytes. */
    if (e->op == DH_OP_ALLOC) r->told &= ~(((1ull << e->size) - 1) << e->address);
    r->detector->step(r->state, index, e);
    if (found & ~r->told) append(r->first, index, found & ~r->told);
    if (found) append(r->full, index, found);
    r->told |= found;
}

static char *read_all(char const *path, size_t *size) {
    FILE *file = fopen(path, "r");
    if (!file) fail("replay: cannot read %s\n", path, 0);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*size + 1);
    if (!text || fread(text, 1, *size, file) != *size) fail("replay: cannot read %s\n", path, 0);
    text[*size] = 0;
    fclose(file);
    return text;
}

static void expect(FILE *file, char const *said, struct run const *r, unsigned long number) {
    static char line[LINE];
    if (r->detector == &dh_definition) { /* the first that is asked */
        if (!fgets(line, sizeof line, file))
            fail("replay: no answer for%s trace %lu\n", "", number);
        line[strcspn(line, "\n")] = 0;
    }
    if (strcmp(line, said) == 0) return;
    fprintf(stderr, "replay: trace %lu: %s says \"%s\", the proofs say \"%s\"\n", number,
            r->detector->name, said, line);
    exit(1);
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    size_t size;
    char *text = read_all(argv[1], &size), *end = text + size;
    FILE *first = fopen(argv[2], "r"), *full = fopen(argv[3], "r");
    if (!first || !full) fail("replay: cannot read %s\n", first ? argv[3] : argv[2], 0);
    static struct run runs[DH_DETECTORS];
    unsigned count = 0;
    for (unsigned i = 0; i < DH_DETECTORS; i++) {
        if (!dh_detectors[i]->precise) continue;
        struct run *r = &runs[count++];
        r->detector = dh_detectors[i];
        r->state = r->detector->create(&r->memory, note, 0);
        dh_arena_save(&r->memory, &r->fresh);
    }
    static char const header[] = "deadheat trace 1\n";
    unsigned long number = 0;
    for (char *at = text; at < end; number++) {
        char *next = strstr(at + strlen(header), header);
        if (!next) next = end;
        struct dh_trace_error error;
        struct dh_trace_reader *reader = dh_trace_open_memory(at, (size_t)(next - at), &error);
        if (!reader) fail("replay: %s (trace %lu)\n", error.message, number);
        for (unsigned i = 0; i < count; i++) {
            dh_arena_restore(&runs[i].memory, &runs[i].fresh);
            runs[i].told = 0;
            *runs[i].first = *runs[i].full = 0;
        }
        struct dh_trace_event event;
        int more;
        for (uint64_t index = 0; (more = dh_trace_next(reader, &event, &error)) > 0; index++)
            for (unsigned i = 0; i < count; i++)
                run_event(&runs[i], index, &event);
        if (more < 0) fail("replay: %s (trace %lu)\n", error.message, number);
        dh_trace_close(reader);
        for (unsigned i = 0; i < count; i++)
            expect(first, runs[i].first, &runs[i], number);
        for (unsigned i = 0; i < count; i++)
            if (runs[i].detector->every_event) expect(full, runs[i].full, &runs[i], number);
        at = next;
    }
    printf("%u detectors of src/detect and the judge agree on %lu traces\n", count, number);
    return 0;
}
