/* Threads that use different files have nothing to do with each other, nor have those that use different sockets;
 * and a regular file orders nothing even if it is the same. */
// FLAGS: -D_GNU_SOURCE
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "access/cases.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

static int files[2], one[2], other[2];
int by_files, by_same_file, by_sockets;

static void transfer(int to, int from) {
    char bytes[8];
    CHECK(write(to, "12345678", 8) == 8);
    CHECK(lseek(from, 0, SEEK_SET) == 0 || lseek(from, 0, SEEK_SET) == -1);
    CHECK(read(from, bytes, 8) == 8);
}

static void first_file(void) {
    by_files = 1;
    transfer(files[0], files[0]);
}
static void second_file(void) {
    transfer(files[1], files[1]);
    by_files = 2;
}
static void same_file(void) {
    by_same_file = 1;
    transfer(files[0], files[0]);
}
static void same_file_too(void) {
    transfer(files[0], files[0]);
    by_same_file = 2;
}
static void first_socket(void) {
    by_sockets = 1;
    transfer(one[0], one[1]);
}
static void second_socket(void) {
    transfer(other[0], other[1]);
    by_sockets = 2;
}

static struct case_pair const pairs[] = {
    {"two files", first_file, second_file},
    {"one file", same_file, same_file_too},
    {"two pairs of sockets", first_socket, second_socket},
};

int main(void) {
    for (int i = 0; i < 2; i++) {
        files[i] = open("/tmp", O_TMPFILE | O_RDWR, 0600);
        CHECK(files[i] != -1);
    }
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, one) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, other) == 0);
    CASES_RUN(pairs, 1);
    return 0;
}
