/* Reading the binary form: the threads' blocks become one sequence (docs/traces.md, "The order of
 * the whole").
 *
 * A stream is one thread's blocks. Running streams are in a heap by the number of their next
 * numbered event, which is known without decoding: from the numbers at the end of the block, or the
 * header of a later one. The stream at the top has the next number of the whole trace, or that
 * number is missing. The stream is decoded up to that event, which moves it down the heap; a fork
 * puts a stream in.
 *
 * When the next number is missing, or there are no more, the rest is drained: each stream up to its
 * next numbered event. Then comes the end, or the error.
 */
#include "trace/decode.h"
#include "trace/encode.h"
#include "trace/reader.h"
#include "util/diag.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define NO_NUMBER UINT64_MAX

/* How many bytes of blocks are held in memory. Tests have less. */
#ifndef DH_LOADED_MAX
#define DH_LOADED_MAX (256u << 20)
#endif

struct place {
    uint64_t offset;
    uint64_t sequence; /* this and the next: the header's */
    uint32_t stored;
};

struct stream {
    uint32_t thread;
    struct place *blocks;
    size_t count, room;
    size_t next; /* the block after the one that is being read */
    bool started;
    uint64_t number;            /* of the next numbered event, or NO_NUMBER */
    bool number_here;           /* and it is in the block that is being read */
    uint32_t size;              /* of the payload, loaded or not; 0: no block was begun */
    unsigned char *payload;     /* null: not loaded */
    struct dh_decoder *decoder; /* null: no block was begun, or there are no more */
};

struct binary_reader {
    struct dh_trace_reader base;
    ZSTD_DCtx *zstd;
    struct dh_table by_thread; /* (thread, 0): index of its stream + 1 */
    struct stream *streams;
    size_t count, room;
    struct stream **heap; /* the started ones, those that are at their end included */
    size_t running, heap_room;
    struct stream *current; /* is being decoded; null: look at the heap */
    uint64_t number;        /* of the next numbered event of all */
    size_t loaded, hand;    /* bytes of payloads; which of the heap was last dropped */
    bool draining;
    size_t drained;               /* how many of the heap, then sorted by thread */
    uint64_t last;                /* number, says the end block */
    struct dh_trace_error damage; /* what ended the walk over the headers; no message: nothing */
    struct dh_block block;        /* as it stands in the file */
};

/* ---- The walk over the headers ---- */

static struct stream *stream_of(struct binary_reader *r, uint32_t thread) {
    uint64_t *at = dh_table_find(&r->by_thread, thread, 0);
    return at ? &r->streams[*at - 1] : NULL;
}

static int note_events(struct binary_reader *r, uint64_t offset, struct dh_trace_error *error) {
    struct dh_block_header const *h = &r->block.header;
    uint64_t *at = dh_table_at(&r->by_thread, h->thread, 0);
    if (*at == 0) {
        r->streams = dh_trace_grow(r->streams, r->count, &r->room, sizeof *r->streams);
        r->streams[r->count] = (struct stream){.thread = h->thread};
        *at = ++r->count;
    }
    struct stream *s = &r->streams[*at - 1];
    if (h->index != (uint32_t)s->count)
        return dh_trace_bad(error, offset, 0,
                            "block %" PRIu32 " of thread %" PRIu32 " where block %" PRIu32
                            " should be",
                            h->index, h->thread, (uint32_t)s->count);
    s->blocks = dh_trace_grow(s->blocks, s->count, &s->room, sizeof *s->blocks);
    s->blocks[s->count++] = (struct place){offset, h->sequence, h->stored};
    return 0;
}

static int note_sites(struct binary_reader *r, uint64_t offset, struct dh_trace_error *error) {
    size_t got;
    int trouble = dh_source_read(&r->base.source, offset + sizeof r->block.header, r->block.payload,
                                 r->block.header.stored, &got);
    if (trouble) return dh_trace_bad(error, offset, 0, "%s", strerror(trouble));
    uint32_t at = 0, end = (uint32_t)got, count = 0;
    if (got != r->block.header.stored
        || dh_checksum(r->block.payload, got) != r->block.header.check)
        return dh_trace_bad(error, offset, 0, "the block does not match its checksum");
    for (; at < end; count++) {
        uint64_t site, length;
        if (!dh_get_varint(r->block.payload, &at, end, &site)
            || !dh_get_varint(r->block.payload, &at, end, &length) || length > end - at)
            return dh_trace_bad(error, offset, 0, "the block's sites do not fit into it");
        char const *bad =
            dh_site_texts_add(&r->base.sites, site, (char *)r->block.payload + at, (size_t)length);
        if (bad) return dh_trace_bad(error, offset, 0, "%s", bad);
        at += (uint32_t)length;
    }
    if (count != r->block.header.count)
        return dh_trace_bad(error, offset, 0, "the block has not as many sites as it says");
    return 0;
}

static int note_end(struct binary_reader *r, uint64_t offset, uint64_t blocks,
                    struct dh_trace_error *error) {
    if (r->block.header.index != (uint32_t)blocks)
        return dh_trace_bad(error, offset, 0,
                            "the trace ends after %" PRIu32 " blocks and says that it has %" PRIu32,
                            (uint32_t)blocks, r->block.header.index);
    if (offset + sizeof r->block.header != r->base.source.size)
        return dh_trace_bad(error, offset + sizeof r->block.header, 0,
                            "there is more after the end of the trace");
    r->last = r->block.header.sequence;
    return 0;
}

/* One block. 1: there may be more. 0: it was the end block. */
static int walk(struct binary_reader *r, uint64_t *offset, uint64_t *blocks,
                struct dh_trace_error *error) {
    uint64_t size = r->base.source.size;
    size_t got;
    int trouble =
        dh_source_read(&r->base.source, *offset, &r->block.header, sizeof r->block.header, &got);
    if (trouble) return dh_trace_bad(error, *offset, 0, "%s", strerror(trouble));
    if (got == 0)
        return dh_trace_bad(error, *offset, 0, "the trace is cut short: its end is missing");
    if (got < sizeof r->block.header)
        return dh_trace_bad(error, *offset, 0, "the trace is cut short inside a block's header");
    char const *bad = dh_header_check(&r->block.header);
    if (bad) return dh_trace_bad(error, *offset, 0, "%s", bad);
    if (r->block.header.stored > size - *offset - sizeof r->block.header)
        return dh_trace_bad(error, *offset, 0, "the trace is cut short inside a block");
    int noted = 0;
    switch (r->block.header.type) {
    case DH_BLOCK_EVENTS: noted = note_events(r, *offset, error); break;
    case DH_BLOCK_SITES: noted = note_sites(r, *offset, error); break;
    default: return note_end(r, *offset, *blocks, error);
    }
    *offset += sizeof r->block.header + r->block.header.stored;
    ++*blocks;
    return noted < 0 ? -1 : 1;
}

/* ---- Blocks ---- */

static int damaged(struct stream const *s, struct dh_trace_error *error, char const *what) {
    return dh_trace_bad(error, s->blocks[s->next - 1].offset, 0, "%s", what);
}

static void unload(struct binary_reader *r, struct stream *s) {
    if (s->payload) r->loaded -= s->size;
    free(s->payload);
    s->payload = NULL;
}

/* Makes room for a payload of that size, if others can be dropped: in turn, as they stand in the
 * heap. */
static void make_room(struct binary_reader *r, uint32_t size) {
    for (size_t i = 0; i < r->running && r->loaded + size > DH_LOADED_MAX; i++) {
        r->hand = (r->hand + 1) % r->running;
        unload(r, r->heap[r->hand]);
    }
}

/* The payload of the block before s->next; r->block.header is then its header. */
static int load(struct binary_reader *r, struct stream *s, struct dh_trace_error *error) {
    struct place const *place = &s->blocks[s->next - 1];
    struct dh_block_header const *h = &r->block.header;
    size_t size = sizeof *h + place->stored, got;
    int trouble = dh_source_read(&r->base.source, place->offset, &r->block, size, &got);
    if (trouble) return dh_trace_bad(error, place->offset, 0, "%s", strerror(trouble));
    if (got != size || dh_header_check(h) || h->type != DH_BLOCK_EVENTS
        || h->stored != place->stored || h->sequence != place->sequence)
        return damaged(s, error, "the file has changed while it was read");
    make_room(r, h->size);
    s->payload = dh_trace_memory(h->size);
    s->size = h->size;
    r->loaded += h->size;
    char const *bad = dh_block_unpack(r->zstd, h, r->block.payload, s->payload);
    return bad ? damaged(s, error, bad) : 0;
}

static int begin_block(struct binary_reader *r, struct stream *s, struct dh_trace_error *error) {
    unload(r, s);
    s->next++;
    if (load(r, s, error) < 0) return -1;
    if (!s->decoder) s->decoder = dh_trace_memory(sizeof *s->decoder);
    dh_decoder_begin(s->decoder, &r->block.header);
    s->number_here = r->block.header.sequence != 0;
    r->base.offset = s->blocks[s->next - 1].offset;
    r->base.done += sizeof r->block.header + r->block.header.stored;
    return 0;
}

/* A payload that was dropped comes back. */
static int reload(struct binary_reader *r, struct stream *s, struct dh_trace_error *error) {
    uint32_t size = s->size;
    if (load(r, s, error) < 0) return -1;
    if (s->size != size || r->block.header.size - r->block.header.numbers != s->decoder->events)
        return damaged(s, error, "the file has changed while it was read");
    return 0;
}

/* After a block: nothing may be left over of what its header promised. A stream that has no more
 * blocks gives its memory back: there may be any number of short threads. */
static int end_block(struct binary_reader *r, struct stream *s, struct dh_trace_error *error) {
    if (s->number_here) return damaged(s, error, "the block has more numbers than events for them");
    if (s->decoder->left != 0)
        return damaged(s, error, "the block has not as many events as it says");
    if (s->next < s->count) return 0;
    unload(r, s);
    free(s->decoder);
    s->decoder = NULL;
    return 0;
}

/* ---- The heap ---- */

static void sift_down(struct binary_reader *r, size_t i) {
    struct stream *s = r->heap[i];
    for (size_t child; (child = 2 * i + 1) < r->running; i = child) {
        if (child + 1 < r->running && r->heap[child + 1]->number < r->heap[child]->number) child++;
        if (r->heap[child]->number >= s->number) break;
        r->heap[i] = r->heap[child];
    }
    r->heap[i] = s;
}

/* The number of the next block that has one. */
static void look_ahead(struct stream *s) {
    s->number = NO_NUMBER;
    s->number_here = false;
    for (size_t i = s->next; i < s->count && s->number == NO_NUMBER; i++)
        if (s->blocks[i].sequence != 0) s->number = s->blocks[i].sequence;
}

/* A thread without a block of its own does nothing. */
static void start(struct binary_reader *r, uint64_t thread) {
    struct stream *s = thread <= UINT32_MAX ? stream_of(r, (uint32_t)thread) : NULL;
    if (!s || s->started) return;
    s->started = true;
    look_ahead(s);
    r->heap = dh_trace_grow(r->heap, r->running, &r->heap_room, sizeof(struct stream *));
    size_t i = r->running++;
    for (; i > 0 && r->heap[(i - 1) / 2]->number > s->number; i = (i - 1) / 2)
        r->heap[i] = r->heap[(i - 1) / 2];
    r->heap[i] = s;
}

/* The stream at the top has given the event with its number. */
static int pass_number(struct binary_reader *r, struct stream *s, struct dh_trace_error *error) {
    r->number++;
    if (s->decoder->numbers > s->decoder->events) {
        uint64_t difference = dh_decode_number(s->decoder, s->payload);
        if (difference == 0 || difference >= NO_NUMBER - s->number)
            return damaged(s, error, "the block's sequence numbers are broken");
        s->number += difference;
    } else {
        look_ahead(s);
    }
    sift_down(r, 0);
    r->current = NULL;
    return s->decoder->at == s->decoder->events ? end_block(r, s, error) : 0;
}

/* ---- The end ---- */

static int by_thread(void const *a, void const *b) {
    uint32_t x = (*(struct stream *const *)a)->thread, y = (*(struct stream *const *)b)->thread;
    return (x > y) - (x < y);
}

static void drain(struct binary_reader *r) {
    r->draining = true;
    if (r->running > 0) qsort(r->heap, r->running, sizeof(struct stream *), by_thread);
}

/* All that can be given was given. */
static int finish(struct binary_reader *r, struct dh_trace_error *error) {
    uint64_t size = r->base.source.size;
    if (r->damage.message[0]) {
        *error = r->damage;
        return -1;
    }
    for (size_t i = 0; i < r->count; i++) {
        struct stream const *s = &r->streams[i];
        if (s->started && s->next == s->count && s->number == NO_NUMBER) continue;
        if (s->started)
            return dh_trace_bad(error, s->blocks[s->next ? s->next - 1 : 0].offset, 0,
                                "sequence number %" PRIu64 " is missing; thread %" PRIu32
                                " is at %" PRIu64,
                                r->number, s->thread, s->number);
        if (r->number > r->last)
            return dh_trace_bad(error, s->blocks[0].offset, 0,
                                "thread %" PRIu32 " has events and never started", s->thread);
    }
    if (r->number - 1 != r->last)
        return dh_trace_bad(error, size - sizeof(struct dh_block_header), 0,
                            "the last sequence number is %" PRIu64 " and should be %" PRIu64,
                            r->number - 1, r->last);
    r->base.done = size;
    return 0;
}

/* ---- Events ---- */

/* Which stream is to be decoded now. 0: none, all is over. */
static int choose(struct binary_reader *r, struct dh_trace_error *error) {
    if (!r->draining) {
        struct stream *top = r->running > 0 ? r->heap[0] : NULL;
        if (top && top->number == r->number) {
            r->current = top;
            return 1;
        }
        if (top && top->number < r->number)
            return dh_trace_bad(error, top->blocks[top->next ? top->next - 1 : 0].offset, 0,
                                "sequence number %" PRIu64 " is there twice", top->number);
        drain(r);
    }
    if (r->drained == r->running) return finish(r, error);
    r->current = r->heap[r->drained++];
    return 1;
}

/* Sees to it that there is something to decode in the current stream. 0: it is at its end. */
static int ready(struct binary_reader *r, struct stream *s, struct dh_trace_error *error) {
    while (!s->decoder || s->decoder->at == s->decoder->events) {
        if (s->decoder && end_block(r, s, error) < 0) return -1;
        if (s->next == s->count) return 0;
        if (begin_block(r, s, error) < 0) return -1;
    }
    if (!s->payload && reload(r, s, error) < 0) return -1;
    r->base.offset = s->blocks[s->next - 1].offset;
    return 1;
}

/* A mark, or the event with the next number. 1: it is to be given. 0: it is not. */
static int numbered(struct binary_reader *r, struct stream *s, bool mark,
                    struct dh_trace_event const *event, struct dh_trace_error *error) {
    if (!s->number_here)
        return damaged(s, error, "the block has an event too many that needs a number");
    if (r->draining) {
        r->current = NULL;
        return 0;
    }
    if (pass_number(r, s, error) < 0) return -1;
    if (mark) return 0;
    if (event->op == DH_OP_FORK) start(r, event->address);
    return 1;
}

/* What binary_next does not do at once. */
__attribute__((noinline)) static int
next_slow(struct binary_reader *r, struct dh_trace_event *event, struct dh_trace_error *error) {
    for (;;) {
        struct stream *s = r->current;
        if (!s) {
            int chosen = choose(r, error);
            if (chosen <= 0) return chosen;
            s = r->current;
        }
        int more = ready(r, s, error);
        if (more < 0) return more;
        if (more == 0) {
            r->current = NULL;
            continue;
        }
        enum dh_decoded decoded = dh_decode(s->decoder, s->payload, event);
        if (decoded == DH_DECODED_BAD) return damaged(s, error, "the block's events are broken");
        bool mark = decoded == DH_DECODED_MARK;
        if (!mark && !dh_sequenced(event->op)) return 1;
        int given = numbered(r, s, mark, event, error);
        if (given != 0) return given;
    }
}

static int binary_next(struct dh_trace_reader *base, struct dh_trace_event *event,
                       struct dh_trace_error *error) {
    struct binary_reader *r = (struct binary_reader *)base;
    struct stream *s = r->current;
    if (s && s->payload && dh_decode_quick(s->decoder, s->payload, event)) return 1;
    return next_slow(r, event, error);
}

static void binary_close(struct dh_trace_reader *base) {
    struct binary_reader *r = (struct binary_reader *)base;
    for (size_t i = 0; i < r->count; i++) {
        free(r->streams[i].blocks);
        free(r->streams[i].payload);
        free(r->streams[i].decoder);
    }
    free(r->streams);
    free(r->heap);
    dh_table_free(&r->by_thread);
    ZSTD_freeDCtx(r->zstd);
}

static int check_file_header(struct dh_source const *source, struct dh_trace_error *error) {
    struct dh_file_header header;
    size_t got;
    int trouble = dh_source_read(source, 0, &header, sizeof header, &got);
    if (trouble) return dh_trace_bad(error, 0, 0, "%s", strerror(trouble));
    if (got < sizeof header)
        return dh_trace_bad(error, got, 0, "the trace is cut short inside its header");
    size_t version = offsetof(struct dh_file_header, version);
    if (header.version != DH_TRACE_VERSION)
        return dh_trace_bad(error, version, 0, "the trace has version %" PRIu32 "; this reads %d",
                            header.version, DH_TRACE_VERSION);
    if (header.zero != 0)
        return dh_trace_bad(error, version + sizeof header.version, 0, "the header is broken");
    return 0;
}

struct dh_trace_reader *dh_binary_reader(struct dh_source const *source,
                                         struct dh_trace_error *error) {
    if (check_file_header(source, error) < 0) return NULL;
    struct binary_reader *r = dh_trace_memory(sizeof *r);
    r->base.next = binary_next;
    r->base.close = binary_close;
    r->base.source = *source;
    r->zstd = ZSTD_createDCtx();
    if (!r->zstd) dh_fail("out of memory");
    r->number = 1;
    uint64_t offset = sizeof(struct dh_file_header), blocks = 0;
    int more;
    do
        more = walk(r, &offset, &blocks, &r->damage);
    while (more > 0);
    r->base.done = sizeof(struct dh_file_header);
    start(r, 0);
    return &r->base;
}
