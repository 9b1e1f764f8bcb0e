/* Drives memcached over loopback: memcached_driver THREADS REQUESTS DIRECTORY SERVER ARGUMENT...
 *
 * Starts the server (with a port added to its arguments), opens a connection a thread and sends REQUESTS
 * requests on each: set, get and incr of keys of its own, get of keys that all share. Then it tells the
 * server to shut down and waits for it. Prints a checksum of the answers, which does not depend on the
 * schedule, and fails if the server does. The driver itself is never checked by a tool. */
#include "driver.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

enum { START_SECONDS = 30, ANSWER_SECONDS = 60, SHARED = 100, LINE = 512 };

static struct sockaddr_in address;
static pid_t server;
static uint64_t sums[DRIVER_THREADS];

static void stop_and_fail(char const *why) {
    kill(server, SIGKILL);
    driver_fail("memcached: %s", why);
}

static int connect_once(void) {
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    struct timeval limit = {.tv_sec = ANSWER_SECONDS};
    if (s < 0 || connect(s, (struct sockaddr *)&address, sizeof address) != 0) {
        if (s >= 0) close(s);
        return -1;
    }
    setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    return s;
}

static void wait_for_server(void) {
    struct timespec pause = {.tv_nsec = 10000000};
    for (int i = 0; i < START_SECONDS * 100; i++) {
        int s = connect_once();
        if (s >= 0) {
            close(s);
            return;
        }
        if (waitpid(server, NULL, WNOHANG) == server) driver_fail("memcached ended at once");
        nanosleep(&pause, NULL);
    }
    stop_and_fail("does not answer");
}

/* A port that is free now. */
static int free_port(void) {
    int s = socket(AF_INET, SOCK_STREAM, 0);
    socklen_t size = sizeof address;
    address =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (s < 0 || bind(s, (struct sockaddr *)&address, size) != 0
        || getsockname(s, (struct sockaddr *)&address, &size) != 0)
        driver_fail("no free port");
    close(s);
    return ntohs(address.sin_port);
}

/* Sends a request and reads the answer, up to the line that ends it. */
static void ask(int s, char const *end, char *answer, char const *format, ...) {
    char request[LINE];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(request, sizeof request, format, arguments), got = 0;
    va_end(arguments);
    if (write(s, request, (size_t)length) != length) stop_and_fail("the connection is lost");
    while (got == 0 || !strstr(answer, end)) {
        ssize_t n = read(s, answer + got, (size_t)(LINE - 1 - got));
        if (n <= 0) stop_and_fail("no answer");
        got += (int)n;
        answer[got] = 0;
        if (strstr(answer, "ERROR")) stop_and_fail(answer);
    }
}

static uint64_t text_sum(char const *text) {
    uint64_t sum = 14695981039346656037u;
    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * 1099511628211u;
    return sum;
}

static void *work(void *argument) {
    int me = (int)(intptr_t)argument, s = connect_once();
    char answer[LINE];
    uint64_t sum = 0;
    if (s < 0) stop_and_fail("refuses a connection");
    ask(s, "\r\n", answer, "set count%d 0 0 1\r\n0\r\n", me);
    for (long i = 0; i < driver_size; i++) {
        long key = i * 7919 % 500;
        switch (i % 4) {
        case 0: ask(s, "\r\n", answer, "set key%d.%ld 0 0 10\r\n%010ld\r\n", me, key, i); break;
        case 1: ask(s, "END\r\n", answer, "get key%d.%ld\r\n", me, (i - 1) * 7919 % 500); break;
        case 2: ask(s, "\r\n", answer, "incr count%d %ld\r\n", me, i); break;
        default: ask(s, "END\r\n", answer, "get shared%ld\r\n", i % SHARED);
        }
        sum = sum * 31 + text_sum(answer);
    }
    close(s);
    sums[me] = sum;
    return NULL;
}

static void start(char **arguments, int count) {
    char port[16];
    char **command = calloc((size_t)count + 3, sizeof *command);
    memcpy(command, arguments, (size_t)count * sizeof *command);
    snprintf(port, sizeof port, "%d", free_port());
    command[count] = "-p";
    command[count + 1] = port;
    if (posix_spawnp(&server, command[0], NULL, NULL, command, environ) != 0)
        driver_fail("cannot start %s", command[0]);
    wait_for_server();
}

int main(int argc, char **argv) {
    driver_arguments(argc, argv);
    if (argc < 5) driver_fail("no server is given");
    signal(SIGPIPE, SIG_IGN);
    start(argv + 4, argc - 4);
    char answer[LINE];
    int s = connect_once(), status;
    for (int i = 0; i < SHARED; i++)
        ask(s, "\r\n", answer, "set shared%d 0 0 4\r\n%04d\r\n", i, i);
    driver_run(work);
    if (write(s, "shutdown\r\n", 10) != 10) stop_and_fail("the connection is lost");
    struct timespec pause = {.tv_nsec = 20000000};
    nanosleep(&pause, NULL);
    connect_once(); /* wakes the main thread, which else looks up once a second */
    if (waitpid(server, &status, 0) != server || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        driver_fail("memcached: ends with status %d", status);
    uint64_t sum = 0;
    for (int t = 0; t < driver_threads; t++)
        sum = sum * 31 + sums[t];
    printf("memcached %d %ld %016llx\n", driver_threads, driver_size, (unsigned long long)sum);
}
