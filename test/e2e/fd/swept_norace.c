/* Thousands of pipes and sockets come and go: those that stay go on ordering. */
// LEVELS: -O2
#include "test.h"

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum { COME_AND_GO = 30000 };

static int pipe_ends[2], pair[2], event;
long data;

static void *first(void *unused) {
    data++;
    CHECK(write(pipe_ends[1], "12345678", 8) == 8);
    CHECK(write(pair[0], "12345678", 8) == 8);
    CHECK(write(event, "\1\0\0\0\0\0\0\0", 8) == 8);
    for (int i = 0; i < COME_AND_GO; i++) {
        int fds[2];
        CHECK((i % 2 ? pipe(fds) : socketpair(AF_UNIX, SOCK_STREAM, 0, fds)) == 0);
        CHECK(write(fds[1], "x", 1) == 1);
        close(fds[0]);
        close(fds[1]);
    }
    step();
    return unused;
}

/* Any one of them would do; each is tried by itself in another round. */
static int from;
static void *second(void *unused) {
    char bytes[8];
    step();
    CHECK(read(from, bytes, 8) == 8);
    data++;
    return unused;
}

int main(void) {
    for (int round = 0; round < 3; round++) {
        CHECK(pipe(pipe_ends) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
        event = eventfd(0, 0);
        CHECK(event != -1);
        from = round == 0 ? pipe_ends[0] : round == 1 ? pair[1] : event;
        run_two(first, second);
    }
    CHECK(data == 6);
    return 0;
}
