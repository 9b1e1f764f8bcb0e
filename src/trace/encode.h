/* Writing blocks of events, one encoder a thread: no lock, no allocation, no system call, and
 * nothing of libc but memcpy, memset and memmove. The recorder inside a program uses it, and so
 * does the writer of the tools.
 *
 *   struct dh_encoder e;
 *   dh_encoder_begin(&e, thread);
 *   if (!dh_encode(&e, &event, number)) {
 *       size_t size = dh_encoder_close(&e, &bytes);   // now write these; then the encoder is empty
 *       dh_encode(&e, &event, number);                // and has room
 *   }
 *
 * Where one write(2) may be cut in two by another's (a pipe), whoever writes takes a lock; that is
 * once in 64 kB of events.
 *
 * An encoder serves one thread of the trace at a time, and is used by one thread of the program at
 * a time: who may be interrupted by something that records must see to that.
 */
#ifndef DEADHEAT_TRACE_ENCODE_H
#define DEADHEAT_TRACE_ENCODE_H

#include "trace/format.h"

struct dh_encoder_slot {
    uint64_t key;  /* the shape but for the size; DH_SLOT_UNUSED */
    uint64_t size; /* the rest of the shape */
    uint64_t last, step;
};

struct dh_block {
    struct dh_block_header header;
    unsigned char payload[DH_BLOCK_PAYLOAD];
};

/* next <= numbers: what lies between is free. Both are offsets into the payload. */
struct dh_encoder {
    uint32_t next;    /* events grow up from 0 */
    uint32_t numbers; /* sequence numbers grow down from the end */
    uint32_t count;   /* events in the block */
    uint32_t thread;
    uint32_t index; /* of this block among the thread's */
    uint64_t first; /* sequence number in this block, or 0 */
    uint64_t last;
    struct dh_encoder_slot slot[DH_SLOTS];
    struct dh_block block;
};

enum {
    /* tag, operation, order, kind, size, site, step, number */
    DH_EVENT_ROOM = 4 + DH_VARINT_MAX + 5 + DH_VARINT_MAX + DH_VARINT_MAX,
};
#define DH_SLOT_UNUSED UINT64_MAX

/* For a new thread of the trace; a block of events that was not closed is lost. */
void dh_encoder_begin(struct dh_encoder *e, uint32_t thread);

/* Ends the block: *bytes is the block as it stands in a file, its size is the result, 0 if there
 * was no event. The encoder begins the thread's next block; the bytes stay until the next event. */
size_t dh_encoder_close(struct dh_encoder *e, void const **bytes);

/* The rare way of dh_encode: the shape is new. Returns where the next event goes. */
uint32_t dh_encode_shape(struct dh_encoder *e, unsigned slot, struct dh_trace_event const *event);

static inline unsigned char *dh_put_varint(unsigned char *to, uint64_t value) {
    while (value >= 0x80) {
        *to++ = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    *to++ = (unsigned char)value;
    return to;
}

static inline uint64_t dh_zigzag(uint64_t step) {
    return step << 1 ^ (uint64_t)((int64_t)step >> 63);
}

static inline uint64_t dh_shape_key(struct dh_trace_event const *event) {
    return (uint64_t)event->site | (uint64_t)event->op << 32 | (uint64_t)event->order << 40
           | (uint64_t)event->kind << 48;
}

/* Any function would do: the slot is part of what is written. */
static inline unsigned dh_shape_slot(uint64_t key, uint64_t size) {
    return (unsigned)((key ^ size << 20) * 0x9e3779b97f4a7c15u >> 58);
}

static inline void dh_encode_number(struct dh_encoder *e, uint64_t number) {
    if (e->first == 0) {
        e->first = e->last = number;
        return;
    }
    uint64_t value = number - e->last;
    unsigned char *to = e->block.payload + e->numbers;
    for (; value >= 0x80; value >>= 7)
        *--to = (unsigned char)(value | 0x80);
    *--to = (unsigned char)value;
    e->numbers = (uint32_t)(to - e->block.payload);
    e->last = number;
}

static inline bool dh_encoder_has_room(struct dh_encoder const *e) {
    return e->numbers - e->next >= DH_EVENT_ROOM;
}

/* One event of the encoder's thread; event->thread is not looked at. `number` is the sequence
 * number of an operation that is dh_sequenced, greater than any before in this thread. False: the
 * block is full and nothing was done. Order and kind are 0 where the operation has none, so is the
 * size. */
static inline bool dh_encode(struct dh_encoder *e, struct dh_trace_event const *event,
                             uint64_t number) {
    if (!dh_encoder_has_room(e)) return false;
    uint64_t key = dh_shape_key(event);
    unsigned i = dh_shape_slot(key, event->size);
    struct dh_encoder_slot *slot = &e->slot[i];
    if (slot->key == key && slot->size == event->size) {
        unsigned char *to = e->block.payload + e->next;
        uint64_t step = event->address - slot->last;
        if (step == slot->step) {
            *to++ = (unsigned char)(DH_TAG_AGAIN + i);
        } else {
            *to++ = (unsigned char)(DH_TAG_STEP + i);
            to = dh_put_varint(to, dh_zigzag(step));
            slot->step = step;
        }
        slot->last = event->address;
        e->next = (uint32_t)(to - e->block.payload);
    } else {
        e->next = dh_encode_shape(e, i, event);
    }
    e->count++;
    if (dh_sequenced(event->op)) dh_encode_number(e, number);
    return true;
}

/* Holds the accesses before it to their place among other threads' numbers; nobody sees it as an
 * event. */
static inline bool dh_encode_mark(struct dh_encoder *e, uint64_t number) {
    if (!dh_encoder_has_room(e)) return false;
    e->block.payload[e->next++] = DH_TAG_MARK;
    dh_encode_number(e, number);
    return true;
}

/* ---- The other blocks ---- */

/* Sites: begun with dh_sites_begin, closed like events with the size of the block, 0 if empty. */
struct dh_sites {
    uint32_t next, count;
    struct dh_block block;
};
void dh_sites_begin(struct dh_sites *sites);
/* False: full. A site is explained once in a trace, by at most DH_SITE_TEXT bytes (the rest is cut
 * off), without control characters. */
bool dh_sites_add(struct dh_sites *sites, uint32_t site, char const *text, size_t length);
size_t dh_sites_close(struct dh_sites *sites, void const **bytes);

/* What a whole trace ends with: `blocks` were written, and `last` is the last number given out. */
struct dh_block_header dh_end_block(uint64_t blocks, uint64_t last);

#endif
