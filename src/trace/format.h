/* The binary form of a trace, byte by byte: what the recorder inside a program writes and the
 * reader takes apart. docs/traces.md tells it in words. All numbers are little-endian.
 *
 * A file is a file header, then blocks, the last of them an end block. A block holds events of one
 * thread in the order of its program; its threads' blocks are in order too, and otherwise anywhere.
 *
 * Events that synchronise carry a sequence number, which is what threads are merged by. The numbers
 * are 1, 2, 3 ..., each given to one event of the whole trace, in the order in which these events
 * took effect. They stand apart from the events, at the end of the block, so that a reader knows
 * which thread is next without decoding what lies between.
 */
#ifndef DEADHEAT_TRACE_FORMAT_H
#define DEADHEAT_TRACE_FORMAT_H

#include "trace/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "headers are written as they are held");

/* The first byte is no text, the last two notice a copy that translated the ends of lines. */
#define DH_TRACE_MAGIC "\211DHTRC\r\n"
enum { DH_TRACE_MAGIC_SIZE = 8, DH_TRACE_VERSION = 1 };

struct dh_file_header {
    unsigned char magic[DH_TRACE_MAGIC_SIZE];
    uint32_t version;
    uint32_t zero;
};
_Static_assert(sizeof(struct dh_file_header) == 16, "");

enum dh_block_type { DH_BLOCK_EVENTS = 1, DH_BLOCK_SITES, DH_BLOCK_END };
enum dh_block_codec { DH_CODEC_RAW, DH_CODEC_ZSTD };

#define DH_BLOCK_MAGIC 0x4b424844u /* "DHBK" */

/* In an end block there is no payload: `index` counts the blocks before it (modulo 2^32), and
 * `sequence` is the last sequence number that was given out. */
struct dh_block_header {
    uint32_t magic;
    uint8_t type;  /* enum dh_block_type */
    uint8_t codec; /* of events: enum dh_block_codec; others are raw */
    uint16_t zero;
    uint32_t thread;       /* whose events; 0 in other blocks */
    uint32_t index;        /* of events: 0, 1, 2 ... for each thread (modulo 2^32); of sites: 0 */
    uint32_t stored;       /* bytes of payload in the file */
    uint32_t size;         /* bytes of payload when decompressed */
    uint32_t numbers;      /* of these, at the end: the sequence numbers */
    uint32_t count;        /* how many events, or sites */
    uint64_t sequence;     /* of the first event with a number; 0: none has */
    uint64_t check;        /* dh_checksum of the stored payload */
    uint64_t header_check; /* dh_checksum of what stands above */
};
_Static_assert(sizeof(struct dh_block_header) == 56, "");

enum {
    DH_BLOCK_SIZE = 1 << 16, /* at most, with header; what a pipe holds */
    DH_BLOCK_PAYLOAD = DH_BLOCK_SIZE - (int)sizeof(struct dh_block_header),
    DH_SITE_TEXT = 1024, /* longest explanation of a site, in bytes */
};

/* The payload of an events block is a sequence of tags, each with what belongs to it. Most events
 * resemble an earlier one of the same place in the program: the block has 64 slots, a slot
 * remembers the shape of an event (all but its address), the last address and the last step.
 *
 *   0x00 + slot   the slot's shape; its last step again
 *   0x40 + slot   the slot's shape; then the step
 *   0x80 + slot   a new shape for the slot: operation (a byte), order (a byte, for operands "m"),
 *                 kind (a byte, for "k"), size (for "a"), site, the step from the slot's last
 *                 address. The remembered step becomes 0
 *   0xc0          a mark: nothing but a sequence number
 *
 * Sizes and sites are varints: seven bits a byte, low ones first, the top bit set on all but the
 * last. A step is a signed number as a varint: 0, -1, 1, -2 ... become 0, 1, 2, 3 ... "Address" is
 * whatever dh_trace_event.address holds for the operation. A block begins with all slots unused,
 * their addresses and steps 0.
 *
 * The sequence numbers after the first (which is in the header) are varints of the difference to
 * the one before, never 0. They are written from the end of the payload towards its beginning.
 */
enum {
    DH_SLOTS = 64,
    DH_TAG_AGAIN = 0x00,
    DH_TAG_STEP = 0x40,
    DH_TAG_SHAPE = 0x80,
    DH_TAG_MARK = 0xc0,
    DH_VARINT_MAX = 10, /* bytes */
};

/* All operations but plain accesses, and what a detector says about those, have a number. */
static inline bool dh_sequenced(unsigned op) { return op > DH_OP_WRITE && op < DH_OP_CHECK; }

/* Whether the operands of an operation, as DH_OPS lists them, include this letter. */
bool dh_op_has(unsigned op, char letter);

/* XXH64 with seed 0: quick in plain C, which the recorder needs, and 64 bits. */
uint64_t dh_checksum(void const *bytes, size_t size);

/* Sets both checks of a header whose payload is at `payload`, as stored. */
void dh_block_seal(struct dh_block_header *header, void const *payload);

/* The header that a file begins with. */
struct dh_file_header dh_file_header(void);

#endif
