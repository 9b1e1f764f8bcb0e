/* Binary traces by hand, block by block, as a recorder makes them. */
#ifndef TRACE_STREAM_H
#define TRACE_STREAM_H

#include "trace_tools.h"

#include "trace/encode.h"

struct stream {
    char *at;
    char data[1 << 20];
};

static inline void append(struct stream *to, void const *bytes, size_t size) {
    assert_true(to->at + size <= to->data + sizeof to->data);
    memcpy(to->at, bytes, size);
    to->at += size;
}

static inline void begin(struct stream *to) {
    to->at = to->data;
    struct dh_file_header header = dh_file_header();
    append(to, &header, sizeof header);
}

static inline void close_block(struct stream *to, struct dh_encoder *encoder) {
    void const *bytes;
    size_t size = dh_encoder_close(encoder, &bytes);
    append(to, bytes, size);
}

static inline void end(struct stream *to, uint64_t blocks, uint64_t last) {
    struct dh_block_header header = dh_end_block(blocks, last);
    append(to, &header, sizeof header);
}

static inline struct dh_trace_event access_at(uint64_t address) {
    return (struct dh_trace_event){.op = DH_OP_WRITE, .address = address, .size = 4};
}

static inline struct dh_trace_event of_object(enum dh_op op, uint64_t object) {
    return (struct dh_trace_event){.op = op, .address = object};
}

#endif
