#include "trace/pack.h"

#include "trace/decode.h"
#include "trace/reader.h"
#include "util/diag.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

/* Events are compact already; what zstd finds are the repetitions of loops, and a low level finds
 * them as well as a high one. */
enum { LEVEL = 1 };

struct dh_packer {
    ZSTD_CCtx *zstd;
    struct dh_block block;
};

struct dh_packer *dh_packer_new(void) {
    struct dh_packer *packer = dh_trace_memory(sizeof *packer);
    packer->zstd = ZSTD_createCCtx();
    if (!packer->zstd) dh_fail("out of memory");
    return packer;
}

void dh_packer_free(struct dh_packer *packer) {
    ZSTD_freeCCtx(packer->zstd);
    free(packer);
}

size_t dh_packer_block(struct dh_packer *packer, struct dh_block const *block, void const **bytes) {
    struct dh_block_header const *from = &block->header;
    *bytes = block;
    size_t plain = sizeof *from + from->stored;
    if (from->type != DH_BLOCK_EVENTS || from->codec != DH_CODEC_RAW) return plain;
    size_t size = ZSTD_compressCCtx(packer->zstd, packer->block.payload, from->size - 1,
                                    block->payload, from->size, LEVEL);
    if (ZSTD_isError(size)) return plain; /* there was not enough room: no gain */
    packer->block.header = *from;
    packer->block.header.codec = DH_CODEC_ZSTD;
    packer->block.header.stored = (uint32_t)size;
    dh_block_seal(&packer->block.header, packer->block.payload);
    *bytes = &packer->block;
    return sizeof *from + size;
}

/* ---- Streams ---- */

static int read_all(int from, void *to, size_t size, size_t *got) {
    for (*got = 0; *got < size;) {
        ssize_t part = read(from, (char *)to + *got, size - *got);
        if (part < 0 && errno == EINTR) continue;
        if (part < 0) return errno;
        if (part == 0) break;
        *got += (size_t)part;
    }
    return 0;
}

static int write_all(int to, void const *bytes, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t part = write(to, (char const *)bytes + done, size - done);
        if (part < 0 && errno != EINTR) return errno;
        if (part > 0) done += (size_t)part;
    }
    return 0;
}

static int broken(struct dh_trace_error *error, uint64_t offset, char const *what) {
    dh_trace_bad(error, offset, 0, "%s", what);
    return EBADMSG;
}

static int read_block(int from, uint64_t offset, struct dh_block *block,
                      struct dh_trace_error *error) {
    size_t got;
    int trouble = read_all(from, &block->header, sizeof block->header, &got);
    if (trouble) return trouble;
    if (got < sizeof block->header)
        return broken(error, offset, "the trace is cut short: its end is missing");
    char const *bad = dh_header_check(&block->header);
    if (bad) return broken(error, offset, bad);
    trouble = read_all(from, block->payload, block->header.stored, &got);
    if (trouble) return trouble;
    if (got < block->header.stored)
        return broken(error, offset, "the trace is cut short inside a block");
    if (dh_checksum(block->payload, got) != block->header.check)
        return broken(error, offset, "the block does not match its checksum");
    return 0;
}

static int copy_header(int from, int to, struct dh_trace_error *error) {
    struct dh_file_header header, expected = dh_file_header();
    size_t got;
    int trouble = read_all(from, &header, sizeof header, &got);
    if (trouble) return trouble;
    if (got < sizeof header || memcmp(&header, &expected, sizeof header) != 0)
        return broken(error, 0, "this is no binary trace of version 1");
    return write_all(to, &header, sizeof header);
}

int dh_trace_pack(int from, int to, struct dh_trace_error *error) {
    struct dh_packer *packer = dh_packer_new();
    struct dh_block *block = dh_trace_memory(sizeof *block);
    uint64_t offset = sizeof(struct dh_file_header);
    int trouble = copy_header(from, to, error);
    while (!trouble) {
        trouble = read_block(from, offset, block, error);
        if (trouble) break;
        offset += sizeof block->header + block->header.stored;
        void const *bytes;
        size_t size = dh_packer_block(packer, block, &bytes);
        trouble = write_all(to, bytes, size);
        if (block->header.type == DH_BLOCK_END) break;
    }
    free(block);
    dh_packer_free(packer);
    return trouble;
}
