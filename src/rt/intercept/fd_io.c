/* Reading and writing. What is written is read by the kernel, before the release that goes with it;
 * what was read is written to memory, after the acquire.
 *
 * How much of its buffers a call that writes has taken is known when it returns. Where it releases
 * something that is too late, and everything counts that it is given, unless it is sure to be
 * refused (fd.h). */
#include "rt/intercept/fd.h"
#include "rt/intercept/intercept.h"
#include "rt/intercept/vectors.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static struct dh_sending sends_vector(int fd, struct iovec const *v, long count,
                                      struct dh_here here) {
    struct dh_sending sending = dh_fd_sending(fd, true);
    if (sending.taking == DH_TAKES_ALL && dh_checking()) dh_vector_read(v, count, SIZE_MAX, here);
    dh_sending_release(sending);
    return sending;
}

static ssize_t sent_vector(struct dh_sending sending, struct iovec const *v, long count,
                           ssize_t size, struct dh_here here) {
    if (sending.taking == DH_TAKES_UNSEEN && size >= 0 && dh_checking())
        dh_vector_read(v, count, (size_t)size, here);
    return size;
}

static struct dh_sending sends(int fd, void const *p, size_t size, struct dh_here here) {
    struct dh_sending sending = dh_fd_sending(fd, true);
    if (sending.taking == DH_TAKES_ALL && dh_checking()) dh_range_read(p, size, here);
    dh_sending_release(sending);
    return sending;
}

static ssize_t sent(struct dh_sending sending, void const *p, ssize_t size, struct dh_here here) {
    if (sending.taking == DH_TAKES_UNSEEN && size > 0 && dh_checking())
        dh_range_read(p, (size_t)size, here);
    return size;
}

static ssize_t received_vector(int fd, struct iovec const *v, int count, ssize_t size,
                               struct dh_here here) {
    if (size < 0) return size;
    dh_fd_acquire_read(fd, v, count, (size_t)size);
    if (dh_checking()) dh_vector_write(v, count, (size_t)size, here);
    return size;
}

static ssize_t received(int fd, void *p, ssize_t size, struct dh_here here) {
    struct iovec v = {p, size < 0 ? 0 : (size_t)size};
    if (size < 0) return size;
    dh_fd_acquire_read(fd, &v, 1, (size_t)size);
    if (dh_checking()) dh_range_write(p, (size_t)size, here);
    return size;
}

/* ---- one buffer ---- */

INTERCEPT(ssize_t, read, (int fd, void *p, size_t size)) {
    return received(fd, p, REAL(read)(fd, p, size), DH_HERE);
}

INTERCEPT(ssize_t, write, (int fd, void const *p, size_t size)) {
    struct dh_sending sending = sends(fd, p, size, DH_HERE);
    return sent(sending, p, REAL(write)(fd, p, size), DH_HERE);
}

#define READ_AT(name)                                                    \
    INTERCEPT(ssize_t, name, (int fd, void *p, size_t size, off_t at)) { \
        return received(fd, p, REAL(name)(fd, p, size, at), DH_HERE);    \
    }
#define WRITE_AT(name)                                                         \
    INTERCEPT(ssize_t, name, (int fd, void const *p, size_t size, off_t at)) { \
        struct dh_sending sending = sends(fd, p, size, DH_HERE);               \
        return sent(sending, p, REAL(name)(fd, p, size, at), DH_HERE);         \
    }
READ_AT(pread)
READ_AT(pread64)
WRITE_AT(pwrite)
WRITE_AT(pwrite64)

/* ---- several ---- */

INTERCEPT(ssize_t, readv, (int fd, struct iovec const *v, int count)) {
    return received_vector(fd, v, count, REAL(readv)(fd, v, count), DH_HERE);
}

INTERCEPT(ssize_t, writev, (int fd, struct iovec const *v, int count)) {
    struct dh_sending sending = sends_vector(fd, v, count, DH_HERE);
    return sent_vector(sending, v, count, REAL(writev)(fd, v, count), DH_HERE);
}

#define READ_VECTOR_AT(name)                                                         \
    INTERCEPT(ssize_t, name, (int fd, struct iovec const *v, int count, off_t at)) { \
        return received_vector(fd, v, count, REAL(name)(fd, v, count, at), DH_HERE); \
    }
#define WRITE_VECTOR_AT(name)                                                         \
    INTERCEPT(ssize_t, name, (int fd, struct iovec const *v, int count, off_t at)) {  \
        struct dh_sending sending = sends_vector(fd, v, count, DH_HERE);              \
        return sent_vector(sending, v, count, REAL(name)(fd, v, count, at), DH_HERE); \
    }
READ_VECTOR_AT(preadv)
READ_VECTOR_AT(preadv64)
WRITE_VECTOR_AT(pwritev)
WRITE_VECTOR_AT(pwritev64)

#define READ_VECTOR_FLAGS(name)                                                                 \
    INTERCEPT(ssize_t, name, (int fd, struct iovec const *v, int count, off_t at, int flags)) { \
        return received_vector(fd, v, count, REAL(name)(fd, v, count, at, flags), DH_HERE);     \
    }
#define WRITE_VECTOR_FLAGS(name)                                                                \
    INTERCEPT(ssize_t, name, (int fd, struct iovec const *v, int count, off_t at, int flags)) { \
        struct dh_sending sending = sends_vector(fd, v, count, DH_HERE);                        \
        return sent_vector(sending, v, count, REAL(name)(fd, v, count, at, flags), DH_HERE);    \
    }
READ_VECTOR_FLAGS(preadv2)
READ_VECTOR_FLAGS(preadv64v2)
WRITE_VECTOR_FLAGS(pwritev2)
WRITE_VECTOR_FLAGS(pwritev64v2)

/* ---- from one descriptor to another: order goes with the data ---- */

static ssize_t passed_on(int from, ssize_t size) {
    if (size >= 0) dh_fd_acquire(from);
    return size;
}

/* Where in the file to begin, and then where it ended. */
static ssize_t place_moved(off_t *at, ssize_t size, struct dh_here here) {
    if (at && size >= 0 && dh_checking()) dh_range_write(at, sizeof *at, here);
    return size;
}

INTERCEPT(ssize_t, sendfile, (int to, int from, off_t *at, size_t size)) {
    dh_fd_release(to);
    return place_moved(at, passed_on(from, REAL(sendfile)(to, from, at, size)), DH_HERE);
}

INTERCEPT(ssize_t, sendfile64, (int to, int from, off_t *at, size_t size)) {
    dh_fd_release(to);
    return place_moved(at, passed_on(from, REAL(sendfile64)(to, from, at, size)), DH_HERE);
}

INTERCEPT(ssize_t, splice,
          (int from, off_t *from_at, int to, off_t *to_at, size_t size, unsigned flags)) {
    dh_fd_release(to);
    ssize_t moved = passed_on(from, REAL(splice)(from, from_at, to, to_at, size, flags));
    return place_moved(to_at, place_moved(from_at, moved, DH_HERE), DH_HERE);
}

INTERCEPT(ssize_t, copy_file_range,
          (int from, off_t *from_at, int to, off_t *to_at, size_t size, unsigned flags)) {
    dh_fd_release(to);
    ssize_t moved = passed_on(from, REAL(copy_file_range)(from, from_at, to, to_at, size, flags));
    return place_moved(to_at, place_moved(from_at, moved, DH_HERE), DH_HERE);
}

INTERCEPT(ssize_t, tee, (int from, int to, size_t size, unsigned flags)) {
    dh_fd_release(to);
    return passed_on(from, REAL(tee)(from, to, size, flags));
}

/* From a read end it is a read. */
INTERCEPT(ssize_t, vmsplice, (int fd, struct iovec const *v, size_t count, unsigned flags)) {
    int mode = fcntl(fd, F_GETFL);
    if (mode >= 0 && (mode & O_ACCMODE) == O_RDONLY)
        return received_vector(fd, v, (int)count, REAL(vmsplice)(fd, v, count, flags), DH_HERE);
    struct dh_sending sending = sends_vector(fd, v, (long)count, DH_HERE);
    return sent_vector(sending, v, (long)count, REAL(vmsplice)(fd, v, count, flags), DH_HERE);
}

/* ---- with _FORTIFY_SOURCE: the real ones abort if `room` is too small ---- */

INTERCEPT(ssize_t, __read_chk, (int fd, void *p, size_t size, size_t room)) {
    return received(fd, p, REAL(__read_chk)(fd, p, size, room), DH_HERE);
}

#define READ_AT_CHECKED(name)                                                         \
    INTERCEPT(ssize_t, name, (int fd, void *p, size_t size, off_t at, size_t room)) { \
        return received(fd, p, REAL(name)(fd, p, size, at, room), DH_HERE);           \
    }
READ_AT_CHECKED(__pread_chk)
READ_AT_CHECKED(__pread64_chk)
