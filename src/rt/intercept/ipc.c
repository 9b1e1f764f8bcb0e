/* Message queues, System V semaphores and queues: what is sent comes before what is received. */
#include "rt/intercept/fd.h"
#include "rt/intercept/notice.h"
#include "rt/intercept/table.h"

#include <fcntl.h>
#include <mqueue.h>
#include <stdarg.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* ---- message queues ---- */

ROW(int, mq_send, (mqd_t queue, char const *p, size_t size, unsigned priority),
    (queue, p, size, priority), READS_BYTES(p, size) dh_mq_release(queue);
    , )
ROW(int, mq_timedsend,
    (mqd_t queue, char const *p, size_t size, unsigned priority, struct timespec const *until),
    (queue, p, size, priority, until), READS_BYTES(p, size) READS(until) dh_mq_release(queue);
    , )

#define RECEIVED                                         \
    if (result >= 0) {                                   \
        dh_mq_acquire(queue);                            \
        WRITES_BYTES(p, (size_t)result) WRITES(priority) \
    }
ROW(ssize_t, mq_receive, (mqd_t queue, char *p, size_t room, unsigned *priority),
    (queue, p, room, priority), , RECEIVED)
ROW(ssize_t, mq_timedreceive,
    (mqd_t queue, char *p, size_t room, unsigned *priority, struct timespec const *until),
    (queue, p, room, priority, until), READS(until), RECEIVED)

INTERCEPT(int, mq_notify, (mqd_t queue, struct sigevent const *event)) {
    struct dh_here here = DH_HERE;
    struct sigevent wanted;
    if (!event) return REAL(mq_notify)(queue, 0);
    wanted = *event;
    if (dh_checking()) {
        READS(event)
    }
    struct dh_notice *notice = dh_notice_new(&wanted, 0, DH_ONCE, here);
    dh_notice_queue(notice, queue);
    int failed = REAL(mq_notify)(queue, &wanted);
    if (failed) dh_notice_over(notice);
    return failed;
}

INTERCEPT(mqd_t, mq_open, (char const *name, int flags, ...)) {
    struct dh_here here = DH_HERE;
    if (dh_checking()) {
        READS_STRING(name)
    }
    if (!(flags & O_CREAT)) return REAL(mq_open)(name, flags);
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    struct mq_attr *attributes = va_arg(rest, struct mq_attr *);
    va_end(rest);
    if (dh_checking()) {
        READS(attributes)
    }
    return REAL(mq_open)(name, flags, mode, attributes);
}
ROW(mqd_t, __mq_open_2, (char const *name, int flags), (name, flags), READS_STRING(name), )
ROW(int, mq_unlink, (char const *name), (name), READS_STRING(name), )

ROW(int, mq_getattr, (mqd_t queue, struct mq_attr *now), (queue, now), ,
    if (result == 0) WRITES(now))
ROW(int, mq_setattr, (mqd_t queue, struct mq_attr const *new, struct mq_attr *old),
    (queue, new, old), READS(new), if (result == 0) WRITES(old))

/* ---- System V queues: a message is a word for its type, and then the bytes ---- */

ROW(int, msgsnd, (int id, void const *message, size_t size, int flags), (id, message, size, flags),
    READS_BYTES(message, sizeof(long) + size) dh_ipc_release(DH_QUEUE, id, 0);
    , )
ROW(
    ssize_t, msgrcv, (int id, void *message, size_t room, long type, int flags),
    (id, message, room, type, flags), , if (result >= 0) {
        dh_ipc_acquire(DH_QUEUE, id, 0);
        WRITES_BYTES(message, sizeof(long) + (size_t)result)
    })

/* ---- System V semaphores: to add is to post, anything else is to wait ---- */

static void posts(int id, struct sembuf const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (list[i].sem_op > 0) dh_ipc_release(DH_SEMAPHORE, id, list[i].sem_num);
}

static void waited(int id, struct sembuf const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (list[i].sem_op <= 0) dh_ipc_acquire(DH_SEMAPHORE, id, list[i].sem_num);
}

ROW(int, semop, (int id, struct sembuf *list, size_t count), (id, list, count),
    READS_BYTES(list, count * sizeof *list) posts(id, list, count);
    , if (result == 0) waited(id, list, count);)
ROW(int, semtimedop, (int id, struct sembuf *list, size_t count, struct timespec const *timeout),
    (id, list, count, timeout),
    READS_BYTES(list, count * sizeof *list) READS(timeout) posts(id, list, count);
    , if (result == 0) waited(id, list, count);)

/* How many there are in the set; -1: nobody says. */
static long count_of(int id) {
    struct semid_ds set;
    long failed = dh_syscall(SYS_semctl, (long)id, 0l, (long)IPC_STAT, &set, 0l, 0l);
    return failed ? -1 : (long)set.sem_nsems;
}

/* To set a value is to post, too; the last argument is a word, whatever it is. */
INTERCEPT(int, semctl, (int id, int number, int command, ...)) {
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    struct dh_here here = DH_HERE;
    bool all = command == SETALL || command == GETALL;
    long count = all && dh_checking() ? count_of(id) : 0;
    if (command == SETVAL) dh_ipc_release(DH_SEMAPHORE, id, number);
    if (command == SETALL) {
        if (count > 0) READS_BYTES(argument, (size_t)count * sizeof(unsigned short))
        for (long i = 0; i < count; i++)
            dh_ipc_release(DH_SEMAPHORE, id, (int)i);
    }
    if (command == IPC_SET && dh_checking()) READS_BYTES(argument, sizeof(struct semid_ds))
    int result = REAL(semctl)(id, number, command, argument);
    if (result == -1 || !dh_checking()) return result;
    if (command == GETALL && count > 0)
        WRITES_BYTES(argument, (size_t)count * sizeof(unsigned short))
    if (command == IPC_STAT) WRITES_BYTES(argument, sizeof(struct semid_ds))
    return result;
}

ROW(int, msgctl, (int id, int command, struct msqid_ds *p), (id, command, p),
    if (command == IPC_SET) READS(p), if (result != -1 && command == IPC_STAT) WRITES(p))
