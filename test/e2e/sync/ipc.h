/* Semaphores with names, System V semaphores and queues, message queues: how each is made, sent to and received
 * from.   X(name, make, send, receive) */
#ifndef DEADHEAT_TEST_IPC_H
#define DEADHEAT_TEST_IPC_H

#include "access/cases.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <time.h>
#include <unistd.h>

static sem_t *named;
static int semaphore, queue_id;
static mqd_t queue;
struct message {
    long type;
    char text[8];
};

static inline char const *own_name(void) {
    static char name[32];
    snprintf(name, sizeof name, "/deadheat-%d", getpid());
    return name;
}

static inline void make_named(void) {
    CHECK((named = sem_open(own_name(), O_CREAT, 0600, 0)) != SEM_FAILED && sem_unlink(own_name()) == 0);
}
static inline void make_semaphore(void) { CHECK((semaphore = semget(IPC_PRIVATE, 2, 0600)) != -1); }
static inline void make_queue_id(void) { CHECK((queue_id = msgget(IPC_PRIVATE, 0600)) != -1); }

/* Not every kernel has message queues, nor lets everybody have one. */
static inline void make_queue(void) {
    struct mq_attr attributes = {.mq_maxmsg = 2, .mq_msgsize = 8};
    queue = mq_open(own_name(), O_CREAT | O_RDWR, 0600, &attributes);
    if (queue != (mqd_t)-1) CHECK(mq_unlink(own_name()) == 0);
}

static inline void operate(int number, int by) {
    struct sembuf operation = {.sem_num = (unsigned short)number, .sem_op = (short)by};
    CHECK(semop(semaphore, &operation, 1) == 0);
}
static inline void operate_timed(int number, int by) {
    struct sembuf operation = {.sem_num = (unsigned short)number, .sem_op = (short)by};
    struct timespec timeout = {60, 0};
    CHECK(semtimedop(semaphore, &operation, 1, &timeout) == 0);
}
static inline void send_message(void) {
    struct message m = {1, "hello"};
    CHECK(msgsnd(queue_id, &m, sizeof m.text, 0) == 0);
}
static inline void receive_message(void) {
    struct message m;
    CHECK(msgrcv(queue_id, &m, sizeof m.text, 0, 0) == sizeof m.text);
}
static inline void send_queue(void) {
    if (queue != (mqd_t)-1) CHECK(mq_send(queue, "hello", 6, 0) == 0);
}
static inline void receive_queue(void) {
    char text[8];
    if (queue != (mqd_t)-1) CHECK(mq_receive(queue, text, sizeof text, NULL) == 6);
}

static inline void send_queue_timed(void) {
    struct timespec until = {.tv_sec = time(NULL) + 60};
    if (queue != (mqd_t)-1) CHECK(mq_timedsend(queue, "hello", 6, 0, &until) == 0);
}
static inline void receive_queue_timed(void) {
    struct timespec until = {.tv_sec = time(NULL) + 60};
    struct mq_attr attributes = {0}, before;
    char text[8];
    unsigned priority;
    if (queue == (mqd_t)-1) return;
    CHECK(mq_setattr(queue, &attributes, &before) == 0 && before.mq_maxmsg == 2);
    CHECK(mq_timedreceive(queue, text, sizeof text, &priority, &until) == 6);
}

#define KINDS(X)                                                                                        \
    X(named, make_named(), sem_post(named), CHECK(sem_wait(named) == 0))                                \
    X(semaphore, make_semaphore(), operate(1, 1), operate(1, -1))                                    \
    X(semaphore_timed, make_semaphore(), operate_timed(1, 1), operate_timed(1, -1))                     \
    X(queue_id, make_queue_id(), send_message(), receive_message())

static inline void make_all(void) {
    make_named();
    make_semaphore();
    make_queue_id();
    make_queue();
}
static inline void remove_all(void) {
    semctl(semaphore, 0, IPC_RMID);
    msgctl(queue_id, IPC_RMID, NULL);
}

#endif
