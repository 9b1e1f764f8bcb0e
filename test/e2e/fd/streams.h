/* One character at a time through a pipe, in every way that stdio has: a table for the programs that hold the order
 * against it.
 *   X(name, how one is sent to `out`, how one is received from `in`)
 * Standard input and output are such streams, too, and so are wide ones. */
#ifndef DEADHEAT_TEST_STREAMS_H
#define DEADHEAT_TEST_STREAMS_H

#include "access/cases.h"

#include <unistd.h>
#include <wchar.h>

int _IO_putc(int c, FILE *f);
int _IO_getc(FILE *f);

struct ends {
    FILE *in, *out;
};

static inline struct ends new_pipe(void) {
    int fds[2];
    struct ends ends;
    CHECK(pipe(fds) == 0 && (ends.in = fdopen(fds[0], "r")) && (ends.out = fdopen(fds[1], "w")));
    setvbuf(ends.in, NULL, _IONBF, 0);
    setbuf(ends.out, NULL);
    return ends;
}

/* fd 0 and fd 1 are the ends of a pipe. */
static inline struct ends standard(void) {
    int fds[2];
    CHECK(pipe(fds) == 0 && dup2(fds[0], 0) == 0 && dup2(fds[1], 1) == 1);
    setvbuf(stdin, NULL, _IONBF, 0);
    setvbuf(stdout, NULL, _IONBF, 0);
    return (struct ends){stdin, stdout};
}

#define EXPECT(c, call) CHECK((call) == (c))
#define STREAMS(X)                                                                                      \
    X(fputc, fputc('x', out), EXPECT('x', fgetc(in)))                                                   \
    X(putc, (putc)('x', out), EXPECT('x', (getc)(in)))                                                  \
    X(IO_putc, _IO_putc('x', out), EXPECT('x', _IO_getc(in)))                                           \
    X(fputc_unlocked, fputc_unlocked('x', out), EXPECT('x', fgetc_unlocked(in)))                        \
    X(putc_unlocked, (putc_unlocked)('x', out), EXPECT('x', (getc_unlocked)(in)))                       \
    X(putw, putw(7, out), EXPECT(7, getw(in)))                                                          \
    X(fflush, fputc('x', out); fflush(out), EXPECT('x', fgetc(in)); ungetc('x', in))                    \
    X(fflush_unlocked, fputc('x', out); fflush_unlocked(out), EXPECT('x', fgetc(in)))                   \
    X(fputwc, fputwc(L'x', out), EXPECT(L'x', fgetwc(in)))                                              \
    X(putwc, (putwc)(L'x', out), EXPECT(L'x', (getwc)(in)); ungetwc(L'x', in))                          \
    X(fputwc_unlocked, fputwc_unlocked(L'x', out), EXPECT(L'x', fgetwc_unlocked(in)))                   \
    X(putwc_unlocked, (putwc_unlocked)(L'x', out), EXPECT(L'x', (getwc_unlocked)(in)))
#define STANDARD(X)                                                                                     \
    X(putchar, (putchar)('x'), EXPECT('x', (getchar)()))                                                \
    X(putchar_unlocked, (putchar_unlocked)('x'), EXPECT('x', (getchar_unlocked)()))

#define DEFINE_STREAM(name, send, receive)                                                              \
    int data_##name;                                                                                    \
    static struct ends ends_##name;                                                                     \
    static void send_##name(void) {                                                                     \
        FILE *out = ends_##name.out;                                                                    \
        (void)out;                                                                                      \
        send;                                                                                           \
    }                                                                                                   \
    static void receive_##name(void) {                                                                  \
        FILE *in = ends_##name.in;                                                                      \
        (void)in;                                                                                       \
        receive;                                                                                        \
    }
STREAMS(DEFINE_STREAM)
STANDARD(DEFINE_STREAM)

#define MAKE_STREAM(name, send, receive) ends_##name = new_pipe();
static inline void make_all(void) {
    STREAMS(MAKE_STREAM)
    ends_putchar = ends_putchar_unlocked = standard();
}

#endif
