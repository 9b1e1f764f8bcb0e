/* What fuzzing begins with: seeds FORM DIRECTORY writes a few random traces as inputs of the target
 * of that form. */
#include "../unit/trace_random.h"

#include "trace/encode.h"
#include "trace/trace.h"

#include <stdio.h>
#include <string.h>

enum { SEEDS = 40 };

static void put(FILE *to, void const *bytes, size_t size) {
    if (fwrite(bytes, 1, size, to) != size) abort();
}

/* Raw blocks, which are easier to change in a way that matters than compressed ones. */
static void put_raw(FILE *to, struct events const *events) {
    enum { THREADS = 8 };
    static struct dh_encoder encoder[THREADS];
    struct dh_file_header header = dh_file_header();
    put(to, &header, sizeof header);
    uint64_t number = 0, blocks = 0;
    for (uint32_t t = 0; t < THREADS; t++)
        dh_encoder_begin(&encoder[t], t);
    for (size_t i = 0; i < events->count; i++) {
        struct dh_trace_event const *e = &events->list[i];
        if (e->thread >= THREADS) continue;
        if (dh_sequenced(e->op)) number++;
        dh_encode(&encoder[e->thread], e, number);
    }
    for (uint32_t t = 0; t < THREADS; t++) {
        void const *block;
        size_t size = dh_encoder_close(&encoder[t], &block);
        put(to, block, size);
        blocks += size > 0;
    }
    static struct dh_sites sites;
    dh_sites_begin(&sites);
    void const *block;
    dh_sites_add(&sites, 3, "file.c:3 function", 17);
    put(to, block, dh_sites_close(&sites, &block));
    struct dh_block_header end = dh_end_block(blocks + 1, number);
    put(to, &end, sizeof end);
}

static void put_std(FILE *to, struct events const *events) {
    static char const *const words[DH_OP_COUNT] = {
        [DH_OP_READ] = "r",      [DH_OP_WRITE] = "w",   [DH_OP_ACQUIRE] = "acq",
        [DH_OP_RELEASE] = "rel", [DH_OP_FORK] = "fork", [DH_OP_JOIN] = "join",
        [DH_OP_FENCE] = "begin",
    };
    for (size_t i = 0; i < events->count; i++) {
        struct dh_trace_event const *e = &events->list[i];
        if (!words[e->op]) continue;
        fprintf(to, "%u|%s(%lu)|%u\n", e->thread, words[e->op], (unsigned long)e->address, e->site);
    }
}

static void put_form(FILE *to, struct events const *events, enum dh_trace_form form, size_t skip) {
    char *bytes;
    size_t size;
    FILE *memory = open_memstream(&bytes, &size);
    struct dh_trace_writer *writer = dh_trace_create(memory, form);
    for (size_t i = 0; i < events->count; i++)
        dh_trace_put(writer, &events->list[i]);
    dh_trace_put_site(writer, 7, "file.c:7 function");
    dh_trace_finish(writer);
    fclose(memory);
    put(to, bytes + skip, size - skip);
    free(bytes);
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/seed%u", arguments[2], seed);
        FILE *to = fopen(path, "wb");
        if (!to) {
            perror(path);
            return 2;
        }
        struct events events = random_trace(seed, 2 * seed, 1 + seed % 6);
        if (strcmp(arguments[1], "text") == 0) {
            put_form(to, &events, DH_TRACE_TEXT, strlen("deadheat trace 1\n"));
        } else if (strcmp(arguments[1], "std") == 0) {
            put_std(to, &events);
        } else {
            putc(seed % 4 != 3, to);
            if (seed % 2)
                put_raw(to, &events);
            else
                put_form(to, &events, DH_TRACE_BINARY, 0);
        }
        if (fclose(to) != 0) return 2;
        free(events.list);
    }
    return 0;
}
