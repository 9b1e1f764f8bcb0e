/* Each socket orders what it passes on, among many that are in use at once. All descriptors of every kind:
 * fd/channels_norace.c. */
// LEVELS: -O2
#include "test.h"

#include <sys/socket.h>
#include <unistd.h>

enum { PAIRS = 300, ROUNDS = 20 };

static int fds[PAIRS][2];
long data[PAIRS];

static void *sender(void *unused) {
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < PAIRS; i++) {
            char answer;
            data[i]++;
            CHECK(write(fds[i][0], "x", 1) == 1);
            CHECK(read(fds[i][0], &answer, 1) == 1);
        }
    return unused;
}

static void *receiver(void *unused) {
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < PAIRS; i++) {
            char byte;
            CHECK(read(fds[i][1], &byte, 1) == 1);
            data[i]++;
            CHECK(write(fds[i][1], &byte, 1) == 1);
        }
    return unused;
}

int main(void) {
    for (int i = 0; i < PAIRS; i++)
        CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, fds[i]) == 0);
    run_two(sender, receiver);
    for (int i = 0; i < PAIRS; i++)
        CHECK(data[i] == 2 * ROUNDS);
    return 0;
}
