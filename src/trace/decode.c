#include "trace/decode.h"

#include <string.h>
#include <zstd.h>

/* ---- Blocks ---- */

static bool sizes_fit(struct dh_block_header const *h) {
    if (h->size > DH_BLOCK_PAYLOAD || h->stored > h->size) return false;
    if (h->codec == DH_CODEC_RAW && h->stored != h->size) return false;
    switch (h->type) {
    case DH_BLOCK_EVENTS:
        return h->numbers < h->size && h->count <= h->size - h->numbers
               && (h->sequence != 0 || h->numbers == 0);
    case DH_BLOCK_SITES:
        return h->size > 0 && h->numbers == 0 && h->sequence == 0 && h->thread == 0
               && h->index == 0;
    default: return h->size == 0 && h->numbers == 0 && h->count == 0 && h->thread == 0;
    }
}

char const *dh_header_check(struct dh_block_header const *h) {
    if (h->magic != DH_BLOCK_MAGIC) return "there is no block here";
    if (h->header_check != dh_checksum(h, offsetof(struct dh_block_header, header_check)))
        return "the block's header does not match its checksum";
    if (h->type < DH_BLOCK_EVENTS || h->type > DH_BLOCK_END || h->zero != 0)
        return "the block is of an unknown type";
    unsigned codecs = h->type == DH_BLOCK_EVENTS ? DH_CODEC_ZSTD : DH_CODEC_RAW;
    if (h->codec > codecs) return "the block is compressed in an unknown way";
    if (!sizes_fit(h)) return "the sizes in the block's header do not fit together";
    return NULL;
}

char const *dh_block_unpack(ZSTD_DCtx *zstd, struct dh_block_header const *h, void const *stored,
                            void *to) {
    if (dh_checksum(stored, h->stored) != h->check) return "the block does not match its checksum";
    if (h->codec == DH_CODEC_RAW) {
        memcpy(to, stored, h->stored);
        return NULL;
    }
    size_t size = ZSTD_decompressDCtx(zstd, to, h->size, stored, h->stored);
    if (ZSTD_isError(size) || size != h->size) return "the block does not decompress";
    return NULL;
}

/* ---- Events ---- */

bool dh_get_varint(unsigned char const *bytes, uint32_t *at, uint32_t end, uint64_t *value) {
    *value = 0;
    for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
        unsigned char byte = bytes[(*at)++];
        if (shift == 63 && byte > 1) return false;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return true;
    }
    return false;
}

static bool get_byte(unsigned char const *bytes, uint32_t *at, uint32_t end, uint8_t *value) {
    if (*at >= end) return false;
    *value = bytes[(*at)++];
    return true;
}

static bool get_step(unsigned char const *bytes, uint32_t *at, uint32_t end, uint64_t *step) {
    uint64_t zigzag;
    if (!dh_get_varint(bytes, at, end, &zigzag)) return false;
    *step = zigzag >> 1 ^ (0 - (zigzag & 1));
    return true;
}

void dh_decoder_begin(struct dh_decoder *d, struct dh_block_header const *header) {
    d->at = 0;
    d->events = header->size - header->numbers;
    d->numbers = header->size;
    d->left = header->count;
    d->thread = header->thread;
    for (unsigned i = 0; i < DH_SLOTS; i++)
        d->slot[i] = (struct dh_decoder_slot){.event = {.op = DH_OP_COUNT}};
}

static bool get_shape(struct dh_decoder *d, unsigned char const *payload,
                      struct dh_decoder_slot *slot) {
    struct dh_trace_event e = {.thread = d->thread};
    uint64_t site, step;
    if (!get_byte(payload, &d->at, d->events, &e.op) || e.op >= DH_OP_COUNT) return false;
    if (dh_op_has(e.op, 'm') && !get_byte(payload, &d->at, d->events, &e.order)) return false;
    if (dh_op_has(e.op, 'k') && !get_byte(payload, &d->at, d->events, &e.kind)) return false;
    if (dh_op_has(e.op, 'a') && !dh_get_varint(payload, &d->at, d->events, &e.size)) return false;
    if (!dh_get_varint(payload, &d->at, d->events, &site) || site > UINT32_MAX) return false;
    if (!get_step(payload, &d->at, d->events, &step)) return false;
    e.site = (uint32_t)site;
    e.address = slot->event.address + step;
    *slot = (struct dh_decoder_slot){e, 0};
    return true;
}

enum dh_decoded dh_decode(struct dh_decoder *d, unsigned char const *payload,
                          struct dh_trace_event *event) {
    unsigned tag = payload[d->at++];
    if (tag == DH_TAG_MARK) return DH_DECODED_MARK;
    if (tag > DH_TAG_MARK) return DH_DECODED_BAD;
    struct dh_decoder_slot *slot = &d->slot[tag % DH_SLOTS];
    if (tag >= DH_TAG_SHAPE) {
        if (!get_shape(d, payload, slot)) return DH_DECODED_BAD;
        *event = slot->event;
    } else {
        if (slot->event.op == DH_OP_COUNT) return DH_DECODED_BAD;
        if (tag >= DH_TAG_STEP && !get_step(payload, &d->at, d->events, &slot->step))
            return DH_DECODED_BAD;
        dh_decode_again(slot, event);
    }
    d->left--;
    return DH_DECODED_EVENT;
}

uint64_t dh_decode_number(struct dh_decoder *d, unsigned char const *payload) {
    uint64_t value = 0;
    for (unsigned shift = 0; d->numbers > d->events && shift < 64; shift += 7) {
        unsigned char byte = payload[--d->numbers];
        if (shift == 63 && byte > 1) return 0;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
    }
    return 0;
}
