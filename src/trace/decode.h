/* Taking one block apart: the reverse of trace/encode.h, for bytes that anybody may have written.
 */
#ifndef DEADHEAT_TRACE_DECODE_H
#define DEADHEAT_TRACE_DECODE_H

#include "trace/format.h"
#include "trace/trace.h"

struct dh_decoder_slot {
    struct dh_trace_event event; /* the last one; operation DH_OP_COUNT: unused */
    uint64_t step;
};

/* A place in the payload of a block: events are at [at, events), numbers at [events, numbers), the
 * next one at the end. */
struct dh_decoder {
    uint32_t at, events, numbers;
    uint32_t left; /* how many events should follow */
    uint32_t thread;
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

/* The next event, whatever it is, but for its number. The payload is that of the header. There must
 * be more (at < events). */
enum dh_decoded { DH_DECODED_EVENT, DH_DECODED_MARK, DH_DECODED_BAD };
enum dh_decoded dh_decode(struct dh_decoder *d, unsigned char const *payload,
                          struct dh_trace_event *event);

/* Moves the slot on by its step. The new address goes to both from its register: a wide load of
 * what was just written in part would have to wait for it. */
static inline void dh_decode_again(struct dh_decoder_slot *slot, struct dh_trace_event *event) {
    uint64_t address = slot->event.address + slot->step;
    __builtin_memcpy(event, &slot->event, offsetof(struct dh_trace_event, address));
    event->size = slot->event.size;
    event->address = slot->event.address = address;
}

/* The most frequent case: a plain access, one step on. False: nothing was done. */
static inline bool dh_decode_quick(struct dh_decoder *d, unsigned char const *payload,
                                   struct dh_trace_event *event) {
    if (d->at == d->events) return false;
    unsigned tag = payload[d->at];
    if (tag >= DH_TAG_AGAIN + DH_SLOTS) return false;
    struct dh_decoder_slot *slot = &d->slot[tag - DH_TAG_AGAIN];
    if (slot->event.op > DH_OP_WRITE) return false;
    d->at++;
    d->left--;
    dh_decode_again(slot, event);
    return true;
}

/* The difference to the next number of the block; 0: there is none, or it is broken. */
uint64_t dh_decode_number(struct dh_decoder *d, unsigned char const *payload);

/* A varint of the bytes at [*at, end), which is passed. False: it is broken. */
bool dh_get_varint(unsigned char const *bytes, uint32_t *at, uint32_t end, uint64_t *value);

#endif
