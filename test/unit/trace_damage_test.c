/* Traces that are damaged: an error with its place, after what came before it. */
#include "trace_stream.h"

/* ---- Hand-made damage, with checksums that fit ---- */

static void expect(struct stream *stream, size_t events, uint64_t offset, char const *message) {
    struct events read;
    struct dh_trace_error error;
    size_t size = (size_t)(stream->at - stream->data);
    assert_int_equal(read_events(stream->data, size, &read, &error), -1);
    assert_int_equal(read.count, events);
    if (!strstr(error.message, message)) print_error("got: %s\n", error.message);
    assert_non_null(strstr(error.message, message));
    assert_int_equal(error.offset, offset);
    free(read.list);
}

static struct dh_block *first_block(struct stream *stream) {
    return (struct dh_block *)(stream->data + sizeof(struct dh_file_header));
}

/* The header's own check fits again; the payload's is as it was. */
static void seal_first(struct stream *stream) {
    struct dh_block_header *header = &first_block(stream)->header;
    header->header_check = dh_checksum(header, offsetof(struct dh_block_header, header_check));
}

/* One block of thread 0 with a signal, a write and a signal, and an end. */
static void small(struct stream *stream, uint64_t first, uint64_t second) {
    struct dh_encoder *encoder = malloc(sizeof *encoder);
    struct dh_trace_event e;
    dh_encoder_begin(encoder, 0);
    dh_encode(encoder, (e = of_object(DH_OP_SIGNAL, 9), &e), first);
    dh_encode(encoder, (e = access_at(8), &e), 0);
    dh_encode(encoder, (e = of_object(DH_OP_SIGNAL, 9), &e), second);
    begin(stream);
    close_block(stream, encoder);
    free(encoder);
}

static void lying_blocks(void **state) {
    static struct stream s;
    uint64_t block = sizeof(struct dh_file_header);
    struct dh_block *b = first_block(&s);

    small(&s, 1, 3); /* a number is missing; the write can still be given */
    end(&s, 1, 3);
    expect(&s, 2, block, "sequence number 2 is missing");
    small(&s, 2, 3);
    end(&s, 1, 3);
    expect(&s, 0, block, "sequence number 1 is missing");
    small(&s, 1, 2);
    end(&s, 2, 2);
    expect(&s, 3, (uint64_t)(s.at - s.data) - sizeof b->header, "says that it has 2");
    small(&s, 1, 2);
    end(&s, 1, 7);
    expect(&s, 3, (uint64_t)(s.at - s.data) - sizeof b->header, "should be 7");
    small(&s, 1, 2);
    end(&s, 1, 2);
    append(&s, "x", 1);
    expect(&s, 3, (uint64_t)(s.at - s.data) - 1, "more after the end");

    struct dh_encoder *encoder = malloc(sizeof *encoder); /* the second block repeats a number */
    struct dh_trace_event e = of_object(DH_OP_SIGNAL, 9);
    small(&s, 1, 2);
    uint64_t second = (uint64_t)(s.at - s.data);
    dh_encoder_begin(encoder, 0);
    encoder->index = 1;
    dh_encode(encoder, &e, 2);
    close_block(&s, encoder);
    end(&s, 2, 2);
    expect(&s, 3, block, "sequence number 2 is there twice");
    small(&s, 1, 2); /* the second block has an event that is not possible */
    encoder->index = 1;
    e.op = DH_OP_RELEASE;
    dh_encode(encoder, &e, 3);
    close_block(&s, encoder);
    end(&s, 2, 3);
    expect(&s, 3, second, "does not hold");
    free(encoder);

    struct {
        size_t at;
        uint32_t value;
        char const *message;
        size_t events;
    } lies[] = {
        {offsetof(struct dh_block_header, magic), 7, "no block", 0},
        {offsetof(struct dh_block_header, type), 9, "unknown type", 0},
        {offsetof(struct dh_block_header, type), 0x201, "unknown way", 0},
        {offsetof(struct dh_block_header, type), 0x10001, "unknown type", 0},
        {offsetof(struct dh_block_header, thread), 1, "never started", 0},
        {offsetof(struct dh_block_header, index), 1, "where block 0 should be", 0},
        {offsetof(struct dh_block_header, stored), 0xfffffff0, "sizes", 0},
        {offsetof(struct dh_block_header, size), 0xfffffff0, "sizes", 0},
        {offsetof(struct dh_block_header, numbers), 0xfffffff0, "sizes", 0},
        {offsetof(struct dh_block_header, numbers), 0, "an event too many", 0},
        {offsetof(struct dh_block_header, count), 0xfffffff0, "sizes", 0},
        {offsetof(struct dh_block_header, count), 2, "as many events", 3},
        {offsetof(struct dh_block_header, sequence), 0, "sizes", 0},
    };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        small(&s, 1, 2);
        end(&s, 1, lies[i].at == offsetof(struct dh_block_header, thread) ? 0 : 2);
        memcpy((char *)&b->header + lies[i].at, &lies[i].value, 4);
        seal_first(&s);
        struct events read;
        struct dh_trace_error error;
        assert_int_equal(read_events(s.data, (size_t)(s.at - s.data), &read, &error), -1);
        if (!strstr(error.message, lies[i].message)) print_error("lie %zu: %s\n", i, error.message);
        assert_non_null(strstr(error.message, lies[i].message));
        assert_int_equal(error.offset, block);
        free(read.list);
    }
}

/* Broken payloads whose checksums fit: whoever made them wanted that. */
static void seal_all(struct stream *stream) {
    struct dh_block *block = first_block(stream);
    dh_block_seal(&block->header, block->payload);
}

static void lying_payloads(void **state) {
    static struct stream s;
    uint64_t block = sizeof(struct dh_file_header);
    struct dh_block *b = first_block(&s);
    struct {
        unsigned char bytes[10]; /* in place of all events of the block */
        char const *message;
    } lies[] = {
        {{0x00}, "events are broken"},              /* a slot that was never used */
        {{0x40, 1}, "events are broken"},           /* the same */
        {{0xc1}, "events are broken"},              /* no such tag */
        {{0x80, DH_OP_COUNT}, "events are broken"}, /* no such operation */
        {{0x80, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, "events are broken"},
        {{0x80, 0, 8, 0xff, 0xff, 0xff, 0xff, 0x1f, 0}, "events are broken"}, /* site */
        {{0x80, DH_OP_SIGNAL, 0, 2, 0x80, DH_OP_READ, 0, 0, 0}, "0 bytes"},
    };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        small(&s, 1, 2);
        end(&s, 1, 2);
        assert_int_equal(b->header.size - b->header.numbers, sizeof lies[i].bytes);
        memcpy(b->payload, lies[i].bytes, sizeof lies[i].bytes);
        seal_all(&s);
        expect(&s, i == 6, block, lies[i].message);
    }
    /* The last byte is the difference to the second number. */
    small(&s, 1, 2);
    end(&s, 1, 2);
    b->payload[b->header.size - 1] = 0;
    seal_all(&s);
    expect(&s, 0, block, "sequence numbers are broken");
}

static void lying_sites(void **state) {
    static struct stream s;
    static struct dh_sites sites;
    uint64_t block = sizeof(struct dh_file_header);
    struct dh_block *b = first_block(&s);
    struct {
        size_t at;
        unsigned char byte;
        char const *message;
    } lies[] = {
        {0, 0, "number that there is not"}, {0, 2, "explained twice"},    {1, 200, "do not fit"},
        {1, 4, "control characters"},       {2, 7, "control characters"},
    };
    for (size_t i = 0; i <= sizeof lies / sizeof *lies; i++) {
        begin(&s);
        dh_sites_begin(&sites);
        assert_true(dh_sites_add(&sites, 1, "one", 3));
        assert_true(dh_sites_add(&sites, 2, "two", 3));
        void const *bytes;
        size_t size = dh_sites_close(&sites, &bytes);
        append(&s, bytes, size);
        end(&s, 1, 0);
        if (i == sizeof lies / sizeof *lies) {
            b->header.count = 3;
            seal_all(&s);
            expect(&s, 0, block, "as many sites");
            break;
        }
        b->payload[lies[i].at] = lies[i].byte;
        expect(&s, 0, block, "does not match its checksum");
        seal_all(&s);
        expect(&s, 0, block, lies[i].message);
    }
}

static void wrong_headers(void **state) {
    static struct stream s;
    small(&s, 1, 2);
    end(&s, 1, 2);
    struct dh_file_header *header = (struct dh_file_header *)s.data;
    header->version = 2;
    expect(&s, 0, 8, "version 2");
    header->version = 1;
    header->zero = 5;
    expect(&s, 0, 12, "header is broken");
    s.at = s.data + 11;
    expect(&s, 0, 11, "cut short");
    s.at = s.data;
    expect(&s, 0, 0, "empty");
    begin(&s);
    expect(&s, 0, 16, "cut short");
    end(&s, 0, 0);
    struct events read;
    struct dh_trace_error error;
    assert_int_equal(read_events(s.data, (size_t)(s.at - s.data), &read, &error), 0);
    assert_int_equal(read.count, 0);
}

/* ---- Any damage ---- */

static struct bytes small_trace(struct events *events) {
    *events = random_trace(77, 120, 4);
    return write_events(events, DH_TRACE_BINARY);
}

/* Memory of exactly the size, so that the address sanitizer sees the first byte too many. */
static int read_copy(char const *data, size_t size, struct events *read,
                     struct dh_trace_error *error) {
    char *copy = malloc(size ? size : 1);
    memcpy(copy, data, size);
    int result = read_events(copy, size, read, error);
    free(copy);
    return result;
}

static void cut_anywhere(void **state) {
    struct events events, read;
    struct bytes bytes = small_trace(&events);
    struct dh_trace_error error;
    for (size_t size = 0; size < bytes.size; size++) {
        assert_int_equal(read_copy(bytes.data, size, &read, &error), -1);
        assert_true(error.offset <= size);
        if (size + 1 == bytes.size) check_prefix(&events, &read);
        free(read.list);
    }
    free(bytes.data);
    free(events.list);
}

static void any_bit_flipped(void **state) {
    struct events events, read;
    struct bytes bytes = small_trace(&events);
    struct dh_trace_error error;
    for (size_t bit = 0; bit < 8 * bytes.size; bit++) {
        bytes.data[bit / 8] ^= (char)(1 << bit % 8);
        assert_int_equal(read_copy(bytes.data, bytes.size, &read, &error), -1);
        assert_true(error.offset <= bytes.size);
        bytes.data[bit / 8] ^= (char)(1 << bit % 8);
        free(read.list);
    }
    free(bytes.data);
    free(events.list);
}

/* A text has no checksum: an error or another trace, never more. */
static void text_cut_or_flipped(void **state) {
    struct events events = random_trace(5, 60, 4), read;
    struct bytes bytes = write_events(&events, DH_TRACE_TEXT);
    struct dh_trace_error error;
    for (size_t size = 0; size < bytes.size; size++) {
        int result = read_copy(bytes.data, size, &read, &error);
        bool at_end_of_line = size > 0 && bytes.data[size - 1] == '\n';
        assert_int_equal(result, at_end_of_line ? 0 : -1);
        check_prefix(&events, &read);
        free(read.list);
    }
    for (size_t bit = 0; bit < 8 * bytes.size; bit++) {
        bytes.data[bit / 8] ^= (char)(1 << bit % 8);
        if (read_copy(bytes.data, bytes.size, &read, &error) < 0)
            assert_true(error.offset <= bytes.size);
        bytes.data[bit / 8] ^= (char)(1 << bit % 8);
        free(read.list);
    }
    free(bytes.data);
    free(events.list);
}

int main(void) {
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(lying_blocks),        cmocka_unit_test(lying_payloads),
        cmocka_unit_test(lying_sites),         cmocka_unit_test(wrong_headers),
        cmocka_unit_test(cut_anywhere),        cmocka_unit_test(any_bit_flipped),
        cmocka_unit_test(text_cut_or_flipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
