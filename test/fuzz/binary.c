/* The binary reader. Inputs whose checksums are wrong end there, so the first byte says whether
 * they are put right before: then sizes, numbers and events may lie as they like. */
#include "try.h"

#include "trace/format.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void put_right(unsigned char *bytes, size_t size) {
    struct dh_file_header file = dh_file_header();
    if (size < sizeof file) return;
    memcpy(bytes, &file, sizeof file);
    for (size_t at = sizeof file; size - at >= sizeof(struct dh_block_header);) {
        struct dh_block_header header;
        memcpy(&header, bytes + at, sizeof header);
        header.magic = DH_BLOCK_MAGIC;
        size_t left = size - at - sizeof header;
        bool fits = header.stored <= left;
        if (!fits) header.stored = 0; /* a checksum needs bytes; the size lies again afterwards */
        dh_block_seal(&header, bytes + at + sizeof header);
        memcpy(bytes + at, &header, sizeof header);
        if (!fits) return;
        at += sizeof header + header.stored;
    }
}

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size);
int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size) {
    if (size == 0) return 0;
    unsigned char *copy = malloc(size);
    if (!copy) abort();
    memcpy(copy, data + 1, size - 1);
    if (data[0] & 1) put_right(copy, size - 1);
    try_trace(copy, size - 1);
    free(copy);
    return 0;
}
