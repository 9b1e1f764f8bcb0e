/* Functions with so many checks that these are called, and not inlined (emit/called.c): all kinds of them. */
#include "test.h"

#define ODD(type)                    \
    struct __attribute__((packed)) { \
        char before;                 \
        type value;                  \
    }

#define KINDS(X) X(char, c) X(short, s) X(int, i) X(long, l) X(__int128, x)
#define ODD_KINDS(X) X(short, s) X(int, i) X(long, l)

#define DEFINE(type, n) _Alignas(64) type read_##n, read_again_##n, written_##n, written_again_##n;
#define DEFINE_ODD(type, n) \
    _Alignas(64) ODD(type) odd_read_##n, odd_read_again_##n, odd_written_##n, odd_written_again_##n;
KINDS(DEFINE)
ODD_KINDS(DEFINE_ODD)

#define READ(type, n) sum += (long)(read_##n + read_again_##n);
#define READ_ODD(type, n) sum += odd_read_##n.value + odd_read_again_##n.value;
#define WRITE(type, n) written_##n = written_again_##n = (type)sum;
#define WRITE_ODD(type, n) odd_written_##n.value = odd_written_again_##n.value = (type)sum;

/* And the other way round. */
#define WRITE_READ(type, n) read_##n = read_again_##n = (type)sum;
#define WRITE_READ_ODD(type, n) odd_read_##n.value = odd_read_again_##n.value = (type)sum;
#define READ_WRITTEN(type, n) sum += (long)(written_##n + written_again_##n);
#define READ_WRITTEN_ODD(type, n) sum += odd_written_##n.value + odd_written_again_##n.value;

static long use(void) {
    long sum = 1;
    KINDS(READ)
    ODD_KINDS(READ_ODD)
    KINDS(WRITE)
    ODD_KINDS(WRITE_ODD)
    return sum;
}

static long use_otherwise(void) {
    long sum = 2;
    KINDS(READ_WRITTEN)
    ODD_KINDS(READ_WRITTEN_ODD)
    KINDS(WRITE_READ)
    ODD_KINDS(WRITE_READ_ODD)
    return sum;
}
