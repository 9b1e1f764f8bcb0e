/* Input and output that libc does in threads of its own. From the moment that it is asked for,
 * until somebody has seen that it is done, the buffer is libc's: asking counts as the access to
 * all of it, and who has seen the end comes after who asked.
 *
 * libc has each function under two names, with one meaning. */
#include "rt/intercept/fd.h"
#include "rt/intercept/notice.h"
#include "rt/intercept/table.h"

#include <aio.h>
#include <errno.h>

/* ---- asking ---- */

static void buffer_used(struct aiocb const *block, int operation, struct dh_here here) {
    if (!dh_checking()) return;
    READS(block)
    if (operation == LIO_READ) WRITES_BYTES((void *)block->aio_buf, block->aio_nbytes)
    if (operation == LIO_WRITE) READS_BYTES((void *)block->aio_buf, block->aio_nbytes)
}

static void begins(struct aiocb *block, int operation, struct dh_here here) {
    buffer_used(block, operation, here);
    if (operation == LIO_WRITE) dh_fd_release(block->aio_fildes);
    if (block->aio_sigevent.sigev_notify == SIGEV_SIGNAL)
        dh_signal_sent(block->aio_sigevent.sigev_signo);
    dh_release_join(block);
}

/* What is refused will not be told. */
static int begun(struct aiocb *block, struct dh_notice *notice, int failed) {
    if (failed) {
        dh_notice_over(notice);
        dh_notice_restore(&block->aio_sigevent);
    }
    return failed;
}

#define ASK(name, operation)                                                                     \
    INTERCEPT(int, name, (struct aiocb * block)) {                                               \
        begins(block, operation, DH_HERE);                                                       \
        struct dh_notice *notice = dh_notice_new(&block->aio_sigevent, block, DH_ONCE, DH_HERE); \
        return begun(block, notice, REAL(name)(block));                                          \
    }
ASK(aio_read, LIO_READ)
ASK(aio_read64, LIO_READ)
ASK(aio_write, LIO_WRITE)
ASK(aio_write64, LIO_WRITE)

#define ASK_SYNC(name)                                                                           \
    INTERCEPT(int, name, (int operation, struct aiocb *block)) {                                 \
        begins(block, LIO_NOP, DH_HERE);                                                         \
        struct dh_notice *notice = dh_notice_new(&block->aio_sigevent, block, DH_ONCE, DH_HERE); \
        return begun(block, notice, REAL(name)(operation, block));                               \
    }
ASK_SYNC(aio_fsync)
ASK_SYNC(aio_fsync64)

/* ---- seeing the end ---- */

static void ended(struct aiocb const *block, int error) {
    if (error == EINPROGRESS) return;
    dh_acquire(block);
    if (error == 0 && block->aio_lio_opcode == LIO_READ) dh_fd_acquire(block->aio_fildes);
}

#define ERROR(name)                                     \
    INTERCEPT(int, name, (struct aiocb const *block)) { \
        int error = REAL(name)(block);                  \
        ended(block, error);                            \
        return error;                                   \
    }
ERROR(aio_error)
ERROR(aio_error64)

#define RETURN(name)                                   \
    INTERCEPT(ssize_t, name, (struct aiocb * block)) { \
        ended(block, REAL(aio_error)(block));          \
        dh_notice_restore(&block->aio_sigevent);       \
        return REAL(name)(block);                      \
    }
RETURN(aio_return)
RETURN(aio_return64)

static void all_ended(struct aiocb const *const *list, int count) {
    for (int i = 0; i < count; i++)
        if (list[i]) ended(list[i], REAL(aio_error)(list[i]));
}

#define SUSPEND(name)                                                                          \
    INTERCEPT(int, name,                                                                       \
              (struct aiocb const *const list[], int count, struct timespec const *timeout)) { \
        struct dh_here here = DH_HERE;                                                         \
        if (dh_checking()) {                                                                   \
            READS_BYTES(list, (size_t)count * sizeof *list)                                    \
            READS(timeout)                                                                     \
        }                                                                                      \
        int failed = REAL(name)(list, count, timeout);                                         \
        if (!failed) all_ended(list, count);                                                   \
        return failed;                                                                         \
    }
SUSPEND(aio_suspend)
SUSPEND(aio_suspend64)

/* ---- many at once ---- */

/* Those of a list that are not to be done are not touched; neither is what is told of each when the
 * whole list is what is waited for. */
static void list_begins(struct aiocb *const *list, int count, struct dh_here here) {
    if (dh_checking()) READS_BYTES(list, (size_t)count * sizeof *list)
    for (int i = 0; i < count; i++) {
        if (!list[i] || list[i]->aio_lio_opcode == LIO_NOP) continue;
        begins(list[i], list[i]->aio_lio_opcode, here);
        dh_notice_new(&list[i]->aio_sigevent, list[i], DH_ONCE, here);
    }
}

#define LIST(name)                                                                            \
    INTERCEPT(int, name,                                                                      \
              (int mode, struct aiocb *const list[], int count, struct sigevent *event)) {    \
        struct sigevent wanted = {.sigev_notify = SIGEV_NONE};                                \
        if (event) wanted = *event;                                                           \
        list_begins(list, count, DH_HERE);                                                    \
        struct dh_notice *notice =                                                            \
            mode == LIO_NOWAIT ? dh_notice_new(&wanted, 0, DH_ONCE, DH_HERE) : 0;             \
        int failed = REAL(name)(mode, list, count, event ? &wanted : 0);                      \
        if (failed) dh_notice_over(notice);                                                   \
        if (!failed && mode == LIO_WAIT) all_ended((struct aiocb const *const *)list, count); \
        return failed;                                                                        \
    }
LIST(lio_listio)
LIST(lio_listio64)
