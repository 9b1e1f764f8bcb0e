/* Threads that libc makes to call the program: how each is asked for.
 *   X(name, how it is prepared, how it is asked for)
 * `event` is what is to happen. */
#ifndef DEADHEAT_TEST_NOTICES_H
#define DEADHEAT_TEST_NOTICES_H

#include "access/cases.h"

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netdb.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 64 };

static inline int new_file(void) {
    int fd = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    CHECK(fd != -1 && ftruncate(fd, SIZE) == 0);
    return fd;
}

static inline struct aiocb block(int fd, char *buffer, int operation, struct sigevent event) {
    return (struct aiocb){.aio_fildes = fd,
                          .aio_buf = buffer,
                          .aio_nbytes = SIZE,
                          .aio_lio_opcode = operation,
                          .aio_sigevent = event};
}

static inline void start_timer(struct sigevent event, long interval) {
    timer_t timer;
    struct itimerspec soon = {.it_value.tv_nsec = 1000, .it_interval.tv_nsec = interval};
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    CHECK(timer_settime(timer, 0, &soon, NULL) == 0);
}

static int file;
static char buffer[SIZE];
static struct aiocb reading, writing, syncing, listed;

static inline void start_read(struct sigevent event) {
    reading = block(file, buffer, LIO_READ, event);
    CHECK(aio_read(&reading) == 0);
}
static inline void start_write(struct sigevent event) {
    writing = block(file, buffer, LIO_WRITE, event);
    CHECK(aio_write(&writing) == 0);
}
static inline void start_sync(struct sigevent event) {
    syncing = block(file, NULL, LIO_NOP, event);
    CHECK(aio_fsync(O_SYNC, &syncing) == 0);
}
static inline void start_list(struct sigevent event) {
    static struct aiocb *list[1] = {&listed};
    listed = block(file, buffer, LIO_READ, (struct sigevent){.sigev_notify = SIGEV_NONE});
    CHECK(lio_listio(LIO_NOWAIT, list, 1, &event) == 0);
}
static inline void start_of_list(struct sigevent event) {
    static struct aiocb *list[1] = {&listed};
    listed = block(file, buffer, LIO_WRITE, event);
    CHECK(lio_listio(LIO_NOWAIT, list, 1, NULL) == 0);
}

/* The other names of the same. */
static inline void start_read64(struct sigevent event) {
    reading = block(file, buffer, LIO_READ, event);
    CHECK(aio_read64((struct aiocb64 *)&reading) == 0);
}
static inline void start_write64(struct sigevent event) {
    writing = block(file, buffer, LIO_WRITE, event);
    CHECK(aio_write64((struct aiocb64 *)&writing) == 0);
}
static inline void start_sync64(struct sigevent event) {
    syncing = block(file, NULL, LIO_NOP, event);
    CHECK(aio_fsync64(O_SYNC, (struct aiocb64 *)&syncing) == 0);
}
static inline void start_list64(struct sigevent event) {
    static struct aiocb64 *list[1] = {(struct aiocb64 *)&listed};
    listed = block(file, buffer, LIO_READ, (struct sigevent){.sigev_notify = SIGEV_NONE});
    CHECK(lio_listio64(LIO_NOWAIT, list, 1, &event) == 0);
}

static struct gaicb looked_up;
static inline void start_lookup(struct sigevent event) {
    static struct gaicb *list[1] = {&looked_up};
    static struct addrinfo const hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM};
    looked_up = (struct gaicb){.ar_name = "127.0.0.1", .ar_request = &hints};
    CHECK(getaddrinfo_a(GAI_NOWAIT, list, 1, &event) == 0);
}

#define NOTICES(X)                                                                                      \
    X(timer, start_timer(event, 0))                                                                     \
    X(aio_read, start_read(event))                                                                      \
    X(aio_write, start_write(event))                                                                    \
    X(aio_fsync, start_sync(event))                                                                     \
    X(lio_listio, start_list(event))                                                                    \
    X(lio_listio_each, start_of_list(event))                                                            \
    X(aio_read64, start_read64(event))                                                                  \
    X(aio_write64, start_write64(event))                                                                \
    X(aio_fsync64, start_sync64(event))                                                                 \
    X(lio_listio64, start_list64(event))                                                                \
    X(getaddrinfo_a, start_lookup(event))

static inline struct sigevent calls(void (*function)(union sigval), void *argument) {
    return (struct sigevent){.sigev_notify = SIGEV_THREAD,
                             .sigev_notify_function = function,
                             .sigev_value.sival_ptr = argument};
}

/* Not every kernel has message queues, nor lets everybody have one. */
static inline mqd_t new_queue(void) {
    char name[32];
    struct mq_attr attributes = {.mq_maxmsg = 2, .mq_msgsize = 8};
    snprintf(name, sizeof name, "/deadheat-%d", getpid());
    mqd_t queue = mq_open(name, O_CREAT | O_RDWR, 0600, &attributes);
    if (queue != (mqd_t)-1) CHECK(mq_unlink(name) == 0);
    return queue;
}

#endif
