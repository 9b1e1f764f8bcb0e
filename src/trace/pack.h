/* Compressing what a recorder writes: a trace of raw blocks becomes one of compressed blocks, block
 * by block as they come. */
#ifndef DEADHEAT_TRACE_PACK_H
#define DEADHEAT_TRACE_PACK_H

#include "trace/encode.h"
#include "trace/trace.h"

struct dh_packer;
struct dh_packer *dh_packer_new(void); /* out of memory ends the tool */
void dh_packer_free(struct dh_packer *packer);

/* Compresses a block as it stands in a file. *bytes is the compressed block, or the block itself if
 * that is no smaller or was compressed before; the result is its size. */
size_t dh_packer_block(struct dh_packer *packer, struct dh_block const *block, void const **bytes);

/* Copies a whole trace from one descriptor, which may be a pipe, to another. 0 or an errno: with
 * EBADMSG the input is broken, and *error says where; the blocks before were written, and no end
 * block. */
int dh_trace_pack(int from, int to, struct dh_trace_error *error);

#endif
