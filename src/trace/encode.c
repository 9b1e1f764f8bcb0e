#include "trace/encode.h"

#define OPERANDS(name, text, operands) [DH_OP_##name] = operands,
static char const operands_of[DH_OP_COUNT][4] = {DH_OPS(OPERANDS)};

bool dh_op_has(unsigned op, char letter) {
    for (char const *has = operands_of[op]; *has; has++)
        if (*has == letter) return true;
    return false;
}

/* ---- XXH64 ---- */

#define P1 0x9e3779b185ebca87u
#define P2 0xc2b2ae3d27d4eb4fu
#define P3 0x165667b19e3779f9u
#define P4 0x85ebca77c2b2ae63u
#define P5 0x27d4eb2f165667c5u

static uint64_t rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }

static uint64_t load64(unsigned char const *p) {
    uint64_t x;
    __builtin_memcpy(&x, p, sizeof x);
    return x;
}

static uint32_t load32(unsigned char const *p) {
    uint32_t x;
    __builtin_memcpy(&x, p, sizeof x);
    return x;
}

static uint64_t lane(uint64_t lane, uint64_t word) { return rotate(lane + word * P2, 31) * P1; }

static uint64_t merge(uint64_t hash, uint64_t word) { return (hash ^ lane(0, word)) * P1 + P4; }

uint64_t dh_checksum(void const *bytes, size_t size) {
    unsigned char const *p = bytes, *end = p + size;
    uint64_t hash = P5;
    if (size >= 32) {
        uint64_t a = P1 + P2, b = P2, c = 0, d = 0 - P1;
        for (; end - p >= 32; p += 32) {
            a = lane(a, load64(p));
            b = lane(b, load64(p + 8));
            c = lane(c, load64(p + 16));
            d = lane(d, load64(p + 24));
        }
        hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
        hash = merge(merge(merge(merge(hash, a), b), c), d);
    }
    hash += size;
    for (; end - p >= 8; p += 8)
        hash = rotate(hash ^ lane(0, load64(p)), 27) * P1 + P4;
    if (end - p >= 4) {
        hash = rotate(hash ^ load32(p) * P1, 23) * P2 + P3;
        p += 4;
    }
    for (; p < end; p++)
        hash = rotate(hash ^ *p * P5, 11) * P1;
    hash = (hash ^ hash >> 33) * P2;
    hash = (hash ^ hash >> 29) * P3;
    return hash ^ hash >> 32;
}

/* ---- Headers ---- */

struct dh_file_header dh_file_header(void) {
    struct dh_file_header header = {.version = DH_TRACE_VERSION};
    __builtin_memcpy(header.magic, DH_TRACE_MAGIC, DH_TRACE_MAGIC_SIZE);
    return header;
}

void dh_block_seal(struct dh_block_header *header, void const *payload) {
    header->check = dh_checksum(payload, header->stored);
    header->header_check = dh_checksum(header, offsetof(struct dh_block_header, header_check));
}

struct dh_block_header dh_end_block(uint64_t blocks, uint64_t last) {
    struct dh_block_header header = {
        .magic = DH_BLOCK_MAGIC,
        .type = DH_BLOCK_END,
        .index = (uint32_t)blocks,
        .sequence = last,
    };
    dh_block_seal(&header, "");
    return header;
}

/* ---- Events ---- */

static void begin_block(struct dh_encoder *e) {
    e->next = e->count = 0;
    e->numbers = DH_BLOCK_PAYLOAD;
    e->first = e->last = 0;
    for (unsigned i = 0; i < DH_SLOTS; i++)
        e->slot[i] = (struct dh_encoder_slot){.key = DH_SLOT_UNUSED};
}

void dh_encoder_begin(struct dh_encoder *e, uint32_t thread) {
    e->thread = thread;
    e->index = 0;
    begin_block(e);
}

uint32_t dh_encode_shape(struct dh_encoder *e, unsigned i, struct dh_trace_event const *event) {
    struct dh_encoder_slot *slot = &e->slot[i];
    unsigned char *to = e->block.payload + e->next;
    *to++ = (unsigned char)(DH_TAG_SHAPE + i);
    *to++ = event->op;
    if (dh_op_has(event->op, 'm')) *to++ = event->order;
    if (dh_op_has(event->op, 'k')) *to++ = event->kind;
    if (dh_op_has(event->op, 'a')) to = dh_put_varint(to, event->size);
    to = dh_put_varint(to, event->site);
    to = dh_put_varint(to, dh_zigzag(event->address - slot->last));
    *slot = (struct dh_encoder_slot){dh_shape_key(event), event->size, event->address, 0};
    return (uint32_t)(to - e->block.payload);
}

size_t dh_encoder_close(struct dh_encoder *e, void const **bytes) {
    if (e->next == 0) return 0;
    uint32_t numbers = DH_BLOCK_PAYLOAD - e->numbers;
    uint32_t size = e->next + numbers;
    __builtin_memmove(e->block.payload + e->next, e->block.payload + e->numbers, numbers);
    e->block.header = (struct dh_block_header){
        .magic = DH_BLOCK_MAGIC,
        .type = DH_BLOCK_EVENTS,
        .thread = e->thread,
        .index = e->index++,
        .stored = size,
        .size = size,
        .numbers = numbers,
        .count = e->count,
        .sequence = e->first,
    };
    dh_block_seal(&e->block.header, e->block.payload);
    begin_block(e);
    *bytes = &e->block;
    return sizeof e->block.header + size;
}

/* ---- Sites ---- each is its number, the length of its text, the text. */

void dh_sites_begin(struct dh_sites *sites) { sites->next = sites->count = 0; }

bool dh_sites_add(struct dh_sites *sites, uint32_t site, char const *text, size_t length) {
    if (length > DH_SITE_TEXT) length = DH_SITE_TEXT;
    if (DH_BLOCK_PAYLOAD - sites->next < 2 * DH_VARINT_MAX + length) return false;
    unsigned char *to = sites->block.payload + sites->next;
    to = dh_put_varint(to, site);
    to = dh_put_varint(to, length);
    __builtin_memcpy(to, text, length);
    sites->next = (uint32_t)(to - sites->block.payload) + (uint32_t)length;
    sites->count++;
    return true;
}

size_t dh_sites_close(struct dh_sites *sites, void const **bytes) {
    if (sites->count == 0) return 0;
    sites->block.header = (struct dh_block_header){
        .magic = DH_BLOCK_MAGIC,
        .type = DH_BLOCK_SITES,
        .stored = sites->next,
        .size = sites->next,
        .count = sites->count,
    };
    dh_block_seal(&sites->block.header, sites->block.payload);
    *bytes = &sites->block;
    size_t size = sizeof sites->block.header + sites->next;
    dh_sites_begin(sites);
    return size;
}
