/* Writing traces in the two forms of our own. */
#include "trace/encode.h"
#include "trace/lines.h"
#include "trace/names.h"
#include "trace/pack.h"
#include "trace/reader.h"
#include "util/diag.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One thread that has not exited. */
struct writing {
    bool loose; /* it has events since its last number */
    struct dh_encoder encoder;
};

struct dh_trace_writer {
    FILE *to;
    enum dh_trace_form form;
    int trouble; /* the first errno; nothing is written after it */
    struct dh_wellformed wellformed;
    struct dh_site_texts texts; /* for their rules: what is written can be read */
    /* The rest is of the binary form. */
    struct dh_packer *packer;
    struct dh_sites sites;
    struct dh_table threads; /* (thread, 0): its struct writing */
    struct writing *current; /* whose event was last */
    uint64_t number, block_count;
};

static void emit(struct dh_trace_writer *w, void const *bytes, size_t size) {
    if (w->trouble || fwrite(bytes, 1, size, w->to) == size) return;
    w->trouble = errno ? errno : EIO;
}

struct dh_trace_writer *dh_trace_create(FILE *to, enum dh_trace_form form) {
    struct dh_trace_writer *w = dh_trace_memory(sizeof *w);
    w->to = to;
    w->form = form;
    dh_wellformed_begin(&w->wellformed);
    if (form == DH_TRACE_TEXT) {
        emit(w, DH_TEXT_FIRST "1\n", sizeof DH_TEXT_FIRST + 1);
        return w;
    }
    w->packer = dh_packer_new();
    dh_sites_begin(&w->sites);
    struct dh_file_header header = dh_file_header();
    emit(w, &header, sizeof header);
    return w;
}

/* ---- Text ---- */

static void put_text(struct dh_trace_writer *w, struct dh_trace_event const *e) {
    char line[160];
    int n = snprintf(line, sizeof line, "%" PRIu32 " %s", e->thread, dh_op_names[e->op]);
    size_t at = (size_t)n;
#define ADD(...) at += (size_t)snprintf(line + at, sizeof line - at, __VA_ARGS__)
    if (dh_op_has(e->op, 'k')) ADD(" %s", dh_kind_names[e->kind]);
    if (dh_op_has(e->op, 'a')) ADD(" 0x%" PRIx64 " %" PRIu64, e->address, e->size);
    if (dh_op_has(e->op, 'o')) ADD(" 0x%" PRIx64, e->address);
    if (dh_op_has(e->op, 't')) ADD(" %" PRIu64, e->address);
    if (dh_op_has(e->op, 'm')) ADD(" %s", dh_order_names[e->order & ~DH_TRACE_CXX20]);
    if (e->order & DH_TRACE_CXX20) ADD(" c++20");
    if (e->site) ADD(" @%" PRIu32, e->site);
    ADD("\n");
#undef ADD
    emit(w, line, at);
}

/* ---- Binary ---- */

static void put_block(struct dh_trace_writer *w, void const *block, size_t size) {
    if (size == 0) return;
    void const *bytes;
    size = dh_packer_block(w->packer, block, &bytes);
    emit(w, bytes, size);
    w->block_count++;
}

static void flush(struct dh_trace_writer *w, struct dh_encoder *encoder) {
    void const *block;
    size_t size = dh_encoder_close(encoder, &block);
    put_block(w, block, size);
}

static struct writing *writing_of(struct dh_trace_writer *w, uint32_t thread) {
    if (w->current && w->current->encoder.thread == thread) return w->current;
    uint64_t *at = dh_table_at(&w->threads, thread, 0);
    if (*at == 0) {
        struct writing *new = malloc(sizeof *new);
        if (!new) dh_fail("out of memory");
        new->loose = false;
        dh_encoder_begin(&new->encoder, thread);
        *at = (uintptr_t) new;
    }
    return (struct writing *)(uintptr_t)*at;
}

/* The thread's events so far stand before all numbers from now on: so the sequence is kept. */
static void tie(struct dh_trace_writer *w, struct writing *t) {
    if (!t->loose) return;
    w->number++;
    while (!dh_encode_mark(&t->encoder, w->number))
        flush(w, &t->encoder);
    t->loose = false;
}

static void put_binary(struct dh_trace_writer *w, struct dh_trace_event const *e) {
    struct writing *t = writing_of(w, e->thread);
    if (w->current && w->current != t) tie(w, w->current);
    w->current = t;
    t->loose = !dh_sequenced(e->op);
    if (!t->loose) w->number++;
    while (!dh_encode(&t->encoder, e, w->number))
        flush(w, &t->encoder);
    if (e->op != DH_OP_EXIT) return;
    flush(w, &t->encoder);
    free(t);
    w->current = NULL;
    dh_table_remove(&w->threads, e->thread, 0);
}

static int by_thread(void const *a, void const *b) {
    uint32_t x = (*(struct writing *const *)a)->encoder.thread;
    uint32_t y = (*(struct writing *const *)b)->encoder.thread;
    return (x > y) - (x < y);
}

/* What the threads have left, in their order: the same events always give the same file. */
static void finish_binary(struct dh_trace_writer *w) {
    struct writing **left = dh_trace_memory((w->threads.count + 1) * sizeof *left);
    size_t count = 0;
    for (size_t i = 0; i < w->threads.room; i++)
        if (w->threads.entry[i].value)
            left[count++] = (struct writing *)(uintptr_t)w->threads.entry[i].value;
    qsort(left, count, sizeof *left, by_thread);
    for (size_t i = 0; i < count; i++) {
        flush(w, &left[i]->encoder);
        free(left[i]);
    }
    free(left);
    void const *block;
    size_t size = dh_sites_close(&w->sites, &block);
    put_block(w, block, size);
    struct dh_block_header end = dh_end_block(w->block_count, w->number);
    emit(w, &end, sizeof end);
    dh_packer_free(w->packer);
    dh_table_free(&w->threads);
}

/* ---- Both ---- */

int dh_trace_put(struct dh_trace_writer *w, struct dh_trace_event const *event) {
    if (w->trouble) return w->trouble;
    if (dh_wellformed_step(&w->wellformed, event)) return EINVAL;
    if (w->form == DH_TRACE_TEXT)
        put_text(w, event);
    else
        put_binary(w, event);
    return w->trouble;
}

int dh_trace_put_site(struct dh_trace_writer *w, uint32_t site, char const *text) {
    if (w->trouble) return w->trouble;
    size_t length = strlen(text);
    if (dh_site_texts_add(&w->texts, site, text, length)) return EINVAL;
    if (w->form == DH_TRACE_TEXT) {
        char line[DH_SITE_TEXT + 32];
        int n = snprintf(line, sizeof line, "site %" PRIu32 " %s\n", site, text);
        emit(w, line, (size_t)n);
        return w->trouble;
    }
    while (!dh_sites_add(&w->sites, site, text, length)) {
        void const *block;
        size_t size = dh_sites_close(&w->sites, &block);
        put_block(w, block, size);
    }
    return w->trouble;
}

int dh_trace_finish(struct dh_trace_writer *w) {
    if (w->form == DH_TRACE_BINARY) finish_binary(w);
    if (!w->trouble && fflush(w->to) != 0) w->trouble = errno;
    int trouble = w->trouble;
    dh_wellformed_end(&w->wellformed);
    dh_site_texts_free(&w->texts);
    free(w);
    return trouble;
}
