/* Taking one block apart: the reverse of trace/encode.h, for bytes that anybody may have written.
 */
#ifndef DEADHEAT_TRACE_DECODE_H
#define DEADHEAT_TRACE_DECODE_H

#include "trace/format.h"
#include "trace/trace.h"

struct dh_decoder_slot {
    uint64_t last, step, size;
    uint32_t site;
    uint8_t op; /* DH_OP_COUNT: unused */
    uint8_t order, kind;
};

/* A place in the payload of a block: events are at [at, events), numbers at [events, numbers), the
 * next one at the end. */
struct dh_decoder {
    uint32_t at, events, numbers;
    uint32_t left; /* how many events should follow */
    struct dh_decoder_slot slot[DH_SLOTS];
};

/* Null, or what is wrong with a header, whatever its payload is. */
char const *dh_header_check(struct dh_block_header const *header);

/* The payload of a whole block, decompressed to `to`, which has room for header->size bytes. Null,
 * or what is wrong. */
struct ZSTD_DCtx_s;
char const *dh_block_unpack(struct ZSTD_DCtx_s *zstd, struct dh_block_header const *header,
                            void const *stored, void *to);

void dh_decoder_begin(struct dh_decoder *d, struct dh_block_header const *header);

/* The next event, but for its thread and number. The payload is that of the header. There must be
 * more (at < events). */
enum dh_decoded { DH_DECODED_EVENT, DH_DECODED_MARK, DH_DECODED_BAD };
enum dh_decoded dh_decode_slow(struct dh_decoder *d, unsigned char const *payload,
                               struct dh_trace_event *event);

static inline void dh_decode_fill(struct dh_decoder_slot const *slot,
                                  struct dh_trace_event *event) {
    event->op = slot->op;
    event->order = slot->order;
    event->kind = slot->kind;
    event->site = slot->site;
    event->address = slot->last;
    event->size = slot->size;
}

/* The most frequent tag needs no more than this. */
static inline enum dh_decoded dh_decode(struct dh_decoder *d, unsigned char const *payload,
                                        struct dh_trace_event *event) {
    unsigned tag = payload[d->at];
    if (tag >= DH_TAG_AGAIN + DH_SLOTS) return dh_decode_slow(d, payload, event);
    struct dh_decoder_slot *slot = &d->slot[tag - DH_TAG_AGAIN];
    if (slot->op == DH_OP_COUNT) return DH_DECODED_BAD;
    d->at++;
    slot->last += slot->step;
    dh_decode_fill(slot, event);
    return DH_DECODED_EVENT;
}

/* The difference to the next number of the block; 0: there is none, or it is broken. */
uint64_t dh_decode_number(struct dh_decoder *d, unsigned char const *payload);

/* A varint of the bytes at [*at, end), which is passed. False: it is broken. */
bool dh_get_varint(unsigned char const *bytes, uint32_t *at, uint32_t end, uint64_t *value);

#endif
