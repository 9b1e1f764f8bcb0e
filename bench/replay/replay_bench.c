/* How fast the detectors judge a trace, and what memory they take. A trace is read from its file
 * each time, as `deadheat replay` does it: the first line is reading alone.
 *
 * Usage: replay_bench TRACE DETECTOR...
 */
#include "detect/detector.h"
#include "detect/events.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t findings;
static void found(void *to, struct dh_finding const *finding) { findings++; }

static void measure(char const *path, struct dh_detector const *detector) {
    struct dh_trace_error error;
    struct dh_trace_event event;
    struct dh_arena memory = {0};
    uint64_t index = 0;
    double began = now();
    struct dh_trace_reader *reader = dh_trace_open(path, &error);
    void *state = detector ? detector->create(&memory, found, NULL) : NULL;
    int more = -1;
    findings = 0;
    if (reader && detector)
        while ((more = dh_trace_next(reader, &event, &error)) > 0)
            detector->step(state, index++, &event);
    else if (reader)
        while ((more = dh_trace_next(reader, &event, &error)) > 0)
            index++;
    if (more < 0) {
        fprintf(stderr, "replay_bench: %s: %s\n", path, error.message);
        exit(2);
    }
    double seconds = now() - began;
    if (!detector) printf("%-12s %10.1f million\n", "events", 1e-6 * (double)index);
    printf("%-12s %10.1f million events/s %8.1f ns an event %8.1f MB %6lu findings\n",
           detector ? detector->name : "reading", 1e-6 * (double)index / seconds,
           1e9 * seconds / (double)index, (double)memory.held / (1 << 20), findings);
    fflush(stdout);
    dh_trace_close(reader);
    dh_arena_release(&memory);
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: replay_bench TRACE DETECTOR...\n");
        return 2;
    }
    measure(argv[1], NULL);
    for (int i = 2; i < argc; i++)
        for (unsigned d = 0; d < DH_DETECTORS; d++)
            if (strcmp(argv[i], dh_detectors[d]->name) == 0) measure(argv[1], dh_detectors[d]);
}
