/* The forms of a trace: what is written is read, in the same order. */
#include "trace_stream.h"

#include "trace/pack.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>
#include <zstd.h>

/* ---- The checksum ---- */

/* zstd ends a frame with the low half of XXH64 of its content: an implementation that is not ours.
 */
static void checksum_is_xxh64(void **state) {
    unsigned char text[300], packed[600];
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
    for (unsigned i = 0; i < sizeof text; i++)
        text[i] = (unsigned char)(i * i + 7 * i);
    for (unsigned size = 0; size <= sizeof text; size++) {
        size_t length = ZSTD_compress2(zstd, packed, sizeof packed, text, size);
        assert_false(ZSTD_isError(length));
        uint32_t low;
        memcpy(&low, packed + length - 4, 4);
        assert_int_equal((uint32_t)dh_checksum(text, size), low);
    }
    ZSTD_freeCCtx(zstd);
    assert_int_equal(dh_checksum("", 0), 0xef46db3751d8e999u);
}

/* ---- Round trips ---- */

static void check_round_trip(struct events const *events, enum dh_trace_form form) {
    struct bytes bytes = write_events(events, form);
    struct events read;
    struct dh_trace_error error;
    int result = read_events(bytes.data, bytes.size, &read, &error);
    if (result) print_error("%s at %lu\n", error.message, (unsigned long)error.offset);
    assert_int_equal(result, 0);
    assert_int_equal(read.count, events->count);
    for (size_t i = 0; i < read.count; i++)
        check_same(&read.list[i], &events->list[i]);
    free(read.list);
    free(bytes.data);
}

static void what_is_written_is_read(void **state) {
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct events events = random_trace(seed, seed, 1 + (uint32_t)(seed % 9));
        check_round_trip(&events, DH_TRACE_TEXT);
        check_round_trip(&events, DH_TRACE_BINARY);
        free(events.list);
    }
}

/* Several blocks a thread. */
static void long_traces(void **state) {
    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct events events = random_trace(seed, 50000, (uint32_t)seed);
        assert_int_equal(events.count, 50000);
        check_round_trip(&events, DH_TRACE_TEXT);
        check_round_trip(&events, DH_TRACE_BINARY);
        free(events.list);
    }
}

/* Threads that run all at once. Their blocks are more than this build of the reader holds in
 * memory. */
static void many_threads(void **state) {
    enum { THREADS = 6000 };
    struct events events = {0};
    for (uint32_t t = 1; t < THREADS; t++)
        add_event(&events,
                  (struct dh_trace_event){.op = DH_OP_FORK, .thread = t / 2, .address = t});
    for (unsigned round = 0; round < 5; round++) {
        for (uint32_t t = 0; t < THREADS; t++) {
            add_event(&events, (struct dh_trace_event){
                                   .op = DH_OP_WRITE, .thread = t, .address = 8 * t, .size = 8});
            add_event(&events,
                      (struct dh_trace_event){.op = DH_OP_SIGNAL, .thread = t, .address = round});
        }
    }
    for (uint32_t t = THREADS; t-- > 1;)
        add_event(&events, (struct dh_trace_event){.op = DH_OP_EXIT, .thread = t});
    check_round_trip(&events, DH_TRACE_BINARY);
    check_round_trip(&events, DH_TRACE_TEXT);
    free(events.list);
}

static void sites_have_texts(void **state) {
    for (int form = DH_TRACE_TEXT; form <= DH_TRACE_BINARY; form++) {
        struct bytes bytes;
        FILE *to = open_memstream(&bytes.data, &bytes.size);
        struct dh_trace_writer *writer = dh_trace_create(to, form);
        char text[64];
        for (uint32_t site = 1; site <= 5000; site++) {
            snprintf(text, sizeof text, "file.c:%u function # %u", site, 7 * site);
            assert_int_equal(dh_trace_put_site(writer, site, text), 0);
        }
        assert_int_equal(dh_trace_put_site(writer, UINT32_MAX, ""), 0);
        assert_int_equal(dh_trace_put_site(writer, 7, "again"), EINVAL);
        assert_int_equal(dh_trace_put_site(writer, 0, "unknown"), EINVAL);
        assert_int_equal(dh_trace_put_site(writer, 6000, "a\nb"), EINVAL);
        struct dh_trace_event impossible = {.op = DH_OP_JOIN, .address = 1};
        assert_int_equal(dh_trace_put(writer, &impossible), EINVAL);
        assert_int_equal(dh_trace_finish(writer), 0);
        fclose(to);
        struct dh_trace_error error;
        struct dh_trace_reader *reader = dh_trace_open_memory(bytes.data, bytes.size, &error);
        assert_non_null(reader);
        struct dh_trace_event event;
        assert_int_equal(dh_trace_next(reader, &event, &error), 0);
        for (uint32_t site = 1; site <= 5000; site++) {
            snprintf(text, sizeof text, "file.c:%u function # %u", site, 7 * site);
            assert_string_equal(dh_trace_site(reader, site), text);
        }
        assert_string_equal(dh_trace_site(reader, UINT32_MAX), "");
        assert_null(dh_trace_site(reader, 6000));
        uint64_t done, size;
        dh_trace_progress(reader, &done, &size);
        assert_int_equal(size, bytes.size);
        assert_true(done <= size && done + 2 >= size);
        dh_trace_close(reader);
        free(bytes.data);
    }
}

/* ---- What a recorder does ---- */

/* Threads 0 and 1 record for themselves; the second thread's block is in the file first. Accesses
 * come right before their thread's next number, the last ones at the end. */
static void threads_are_merged(void **state) {
    static struct stream stream;
    struct dh_encoder *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    dh_encoder_begin(a, 0);
    dh_encoder_begin(b, 1);
    struct dh_trace_event e;
    assert_true(dh_encode(a, (e = access_at(1), &e), 0));
    assert_true(dh_encode(a, (e = of_object(DH_OP_FORK, 1), &e), 1));
    assert_true(dh_encode(a, (e = access_at(2), &e), 0));
    assert_true(dh_encode(a, (e = of_object(DH_OP_ACQUIRE, 9), &e), 4));
    assert_true(dh_encode_mark(a, 6));
    assert_true(dh_encode(a, (e = access_at(5), &e), 0));
    assert_true(dh_encode(b, (e = access_at(3), &e), 0));
    assert_true(dh_encode(b, (e = of_object(DH_OP_ACQUIRE, 9), &e), 2));
    assert_true(dh_encode(b, (e = of_object(DH_OP_RELEASE, 9), &e), 3));
    assert_true(dh_encode(b, (e = access_at(4), &e), 0));
    assert_true(dh_encode(b, (e = of_object(DH_OP_EXIT, 0), &e), 5));
    begin(&stream);
    close_block(&stream, b);
    close_block(&stream, a);
    char *without_end = stream.at;
    end(&stream, 2, 6);
    struct {
        uint32_t thread;
        enum dh_op op;
        uint64_t address;
    } expected[] = {{0, DH_OP_WRITE, 1},   {0, DH_OP_FORK, 1},    {1, DH_OP_WRITE, 3},
                    {1, DH_OP_ACQUIRE, 9}, {1, DH_OP_RELEASE, 9}, {0, DH_OP_WRITE, 2},
                    {0, DH_OP_ACQUIRE, 9}, {1, DH_OP_WRITE, 4},   {1, DH_OP_EXIT, 0},
                    {0, DH_OP_WRITE, 5}};
    size_t count = sizeof expected / sizeof *expected;
    for (int whole = 0; whole < 2; whole++) {
        struct events read;
        struct dh_trace_error error;
        size_t size = (size_t)((whole ? stream.at : without_end) - stream.data);
        assert_int_equal(read_events(stream.data, size, &read, &error), whole ? 0 : -1);
        if (!whole) assert_int_equal(error.offset, size);
        assert_int_equal(read.count, count);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(read.list[i].thread, expected[i].thread);
            assert_int_equal(read.list[i].op, expected[i].op);
            assert_int_equal(read.list[i].address, expected[i].address);
        }
        free(read.list);
    }
    free(a);
    free(b);
}

/* Threads of a real program, each with its encoder. A number is taken while the lock is held that
 * it is about; blocks are appended under a lock of their own. */
enum { RECORDERS = 4, ROUNDS = 20000 };

static struct {
    pthread_mutex_t locks[3], file;
    struct stream stream;
    uint64_t blocks, number;
} recording;

struct recorder {
    pthread_t id;
    uint32_t thread;
    struct dh_encoder encoder;
};

static uint64_t take_number(void) {
    return __atomic_add_fetch(&recording.number, 1, __ATOMIC_RELAXED);
}

static void flush(struct recorder *r) {
    pthread_mutex_lock(&recording.file);
    close_block(&recording.stream, &r->encoder);
    recording.blocks++;
    pthread_mutex_unlock(&recording.file);
}

static void record(struct recorder *r, struct dh_trace_event e, uint64_t number) {
    while (!dh_encode(&r->encoder, &e, number))
        flush(r);
}

static void *record_rounds(void *of) {
    struct recorder *r = of;
    for (unsigned i = 0; i < ROUNDS; i++) {
        unsigned lock = (i * r->thread) % 3;
        pthread_mutex_lock(&recording.locks[lock]);
        record(r, of_object(DH_OP_ACQUIRE, lock), take_number());
        /* The address tells the order of this thread's accesses. */
        record(r, access_at(8 * i), 0);
        uint64_t number = take_number();
        pthread_mutex_unlock(&recording.locks[lock]);
        record(r, of_object(DH_OP_RELEASE, lock), number);
    }
    record(r, of_object(DH_OP_EXIT, 0), take_number());
    flush(r);
    return NULL;
}

static void threads_record_at_once(void **state) {
    for (unsigned i = 0; i < 3; i++)
        pthread_mutex_init(&recording.locks[i], NULL);
    pthread_mutex_init(&recording.file, NULL);
    begin(&recording.stream);
    struct recorder *recorders = calloc(RECORDERS + 1, sizeof *recorders);
    for (uint32_t t = 0; t <= RECORDERS; t++) {
        recorders[t].thread = t;
        dh_encoder_begin(&recorders[t].encoder, t);
    }
    for (uint32_t t = 1; t <= RECORDERS; t++) {
        record(&recorders[0], of_object(DH_OP_FORK, t), take_number());
        assert_int_equal(pthread_create(&recorders[t].id, NULL, record_rounds, &recorders[t]), 0);
    }
    for (uint32_t t = 1; t <= RECORDERS; t++) {
        pthread_join(recorders[t].id, NULL);
        record(&recorders[0], of_object(DH_OP_JOIN, t), take_number());
    }
    flush(&recorders[0]);
    end(&recording.stream, recording.blocks, recording.number);
    struct events read;
    struct dh_trace_error error;
    size_t size = (size_t)(recording.stream.at - recording.stream.data);
    int result = read_events(recording.stream.data, size, &read, &error);
    if (result) print_error("%s at %lu\n", error.message, (unsigned long)error.offset);
    assert_int_equal(result, 0);
    assert_int_equal(read.count, RECORDERS * (3 * ROUNDS + 3));
    uint64_t next[RECORDERS + 1] = {0};
    for (size_t i = 0; i < read.count; i++)
        if (read.list[i].op == DH_OP_WRITE)
            assert_int_equal(read.list[i].address, 8 * next[read.list[i].thread]++);
    free(read.list);
    free(recorders);
}

/* The events of a kind that a loop over arrays makes take a byte each. */
static void loops_are_compact(void **state) {
    struct dh_encoder *encoder = malloc(sizeof *encoder);
    dh_encoder_begin(encoder, 0);
    unsigned count = 0;
    for (;; count++) {
        struct dh_trace_event e = {.op = count % 3 == 2 ? DH_OP_WRITE : DH_OP_READ,
                                   .size = 8,
                                   .site = 100 + count % 3,
                                   .address =
                                       0x7f0000001000 + 0x10000 * (count % 3) + 8 * (count / 3)};
        if (!dh_encode(encoder, &e, 0)) break;
    }
    assert_true(count > DH_BLOCK_PAYLOAD - 200);
    free(encoder);
}

/* ---- Packing ---- */

static int pack(struct stream const *from, size_t size, struct stream *to,
                struct dh_trace_error *error) {
    FILE *in = tmpfile(), *out = tmpfile();
    assert_int_equal(fwrite(from->data, 1, size, in), size);
    rewind(in);
    int result = dh_trace_pack(fileno(in), fileno(out), error);
    ssize_t got = pread(fileno(out), to->data, sizeof to->data, 0);
    assert_true(got >= 0);
    to->at = to->data + got;
    fclose(in);
    fclose(out);
    return result;
}

static void packing_keeps_the_trace(void **state) {
    static struct stream raw, packed;
    struct dh_encoder *encoder = malloc(sizeof *encoder);
    dh_encoder_begin(encoder, 0);
    begin(&raw);
    uint64_t blocks = 0, number = 0;
    for (unsigned i = 0; i < 100000; i++) {
        struct dh_trace_event e = access_at(i % 1000 * 64);
        if (i % 100 == 0) e = of_object(DH_OP_SIGNAL, 5);
        if (i % 100 == 0) number++;
        if (dh_encode(encoder, &e, number)) continue;
        close_block(&raw, encoder);
        blocks++;
        assert_true(dh_encode(encoder, &e, number));
    }
    close_block(&raw, encoder);
    size_t last_block = (size_t)(raw.at - raw.data);
    end(&raw, blocks + 1, number);
    free(encoder);
    struct dh_trace_error error;
    size_t size = (size_t)(raw.at - raw.data);
    assert_int_equal(pack(&raw, size, &packed, &error), 0);
    assert_true(packed.at - packed.data < (raw.at - raw.data) / 10);
    struct events a, b;
    assert_int_equal(read_events(raw.data, size, &a, &error), 0);
    assert_int_equal(read_events(packed.data, (size_t)(packed.at - packed.data), &b, &error), 0);
    assert_int_equal(a.count, 100000);
    assert_int_equal(b.count, 100000);
    check_prefix(&a, &b);
    free(a.list);
    free(b.list);

    assert_int_equal(pack(&raw, last_block, &packed, &error), EBADMSG);
    assert_int_equal(error.offset, last_block);
    assert_int_equal(read_events(packed.data, (size_t)(packed.at - packed.data), &b, &error), -1);
    assert_int_equal(b.count, 100000);
    free(b.list);
    raw.data[5000] ^= 1;
    assert_int_equal(pack(&raw, size, &packed, &error), EBADMSG);
    assert_int_equal(error.offset, sizeof(struct dh_file_header));
}

/* ---- Files ---- */

static void read_descriptor(int file) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    struct dh_trace_error error;
    struct dh_trace_reader *reader = dh_trace_open(path, &error);
    assert_non_null(reader);
    struct dh_trace_event event;
    assert_int_equal(dh_trace_next(reader, &event, &error), 1);
    assert_int_equal(dh_trace_next(reader, &event, &error), 0);
    dh_trace_close(reader);
}

static void files_and_pipes(void **state) {
    struct dh_trace_error error;
    assert_null(dh_trace_open("/nonexistent/trace", &error));
    assert_non_null(strstr(error.message, "No such file"));
    assert_null(dh_trace_open("/", &error));
    assert_non_null(strstr(error.message, "directory"));
    struct dh_trace_event event = access_at(8);
    struct events one = {&event, 1, 1};
    for (int form = DH_TRACE_TEXT; form <= DH_TRACE_BINARY; form++) {
        struct bytes bytes = write_events(&one, form);
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], bytes.data, bytes.size), bytes.size);
        close(ends[1]);
        read_descriptor(ends[0]);
        close(ends[0]);
        FILE *file = tmpfile();
        assert_int_equal(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
        fflush(file);
        read_descriptor(fileno(file));
        fclose(file);
        free(bytes.data);
    }
}

static void a_full_disk_is_noticed(void **state) {
    for (int form = DH_TRACE_TEXT; form <= DH_TRACE_BINARY; form++) {
        FILE *full = fopen("/dev/full", "w");
        assert_non_null(full);
        struct dh_trace_writer *writer = dh_trace_create(full, form);
        struct dh_trace_event event = access_at(8);
        for (unsigned i = 0; i < 1000; i++)
            dh_trace_put(writer, &event);
        assert_int_equal(dh_trace_finish(writer), ENOSPC);
        fclose(full);
    }
}

int main(void) {
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(checksum_is_xxh64),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(long_traces),
        cmocka_unit_test(many_threads),
        cmocka_unit_test(sites_have_texts),
        cmocka_unit_test(threads_are_merged),
        cmocka_unit_test(threads_record_at_once),
        cmocka_unit_test(loops_are_compact),
        cmocka_unit_test(packing_keeps_the_trace),
        cmocka_unit_test(files_and_pipes),
        cmocka_unit_test(a_full_disk_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
