/* Reading and writing. What is written is read by the kernel, before the release that goes with it;
 * what was read is written to memory, after the acquire.
 *
 * Of a write that is cut short all bytes count as read: how many it will be is not known before. */
#include "rt/intercept/fd.h"
#include "rt/intercept/intercept.h"
#include "rt/intercept/vectors.h"

#include <sys/sendfile.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static void sends(int fd, void const *p, size_t size, struct dh_here here) {
    if (dh_checking()) dh_range_read(p, size, here);
    dh_fd_release(fd);
}

static ssize_t received(int fd, void *p, ssize_t size, struct dh_here here) {
    if (size < 0) return size;
    dh_fd_acquire(fd);
    if (dh_checking()) dh_range_write(p, (size_t)size, here);
    return size;
}

static void sends_vector(int fd, struct iovec const *v, int count, struct dh_here here) {
    if (dh_checking()) dh_vector_read(v, count, here);
    dh_fd_release(fd);
}

static ssize_t received_vector(int fd, struct iovec const *v, int count, ssize_t size,
                               struct dh_here here) {
    if (size < 0) return size;
    dh_fd_acquire(fd);
    if (dh_checking()) dh_vector_write(v, count, (size_t)size, here);
    return size;
}

/* ---- one buffer ---- */

INTERCEPT(ssize_t, read, (int fd, void *p, size_t size)) {
    return received(fd, p, REAL(read)(fd, p, size), DH_HERE);
}

INTERCEPT(ssize_t, write, (int fd, void const *p, size_t size)) {
    sends(fd, p, size, DH_HERE);
    return REAL(write)(fd, p, size);
}

#define READ_AT(name)                                                    \
    INTERCEPT(ssize_t, name, (int fd, void *p, size_t size, off_t at)) { \
        return received(fd, p, REAL(name)(fd, p, size, at), DH_HERE);    \
    }
#define WRITE_AT(name)                                                         \
    INTERCEPT(ssize_t, name, (int fd, void const *p, size_t size, off_t at)) { \
        sends(fd, p, size, DH_HERE);                                           \
        return REAL(name)(fd, p, size, at);                                    \
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
    sends_vector(fd, v, count, DH_HERE);
    return REAL(writev)(fd, v, count);
}

#define READ_VECTOR_AT(name)                                                         \
    INTERCEPT(ssize_t, name, (int fd, struct iovec const *v, int count, off_t at)) { \
        return received_vector(fd, v, count, REAL(name)(fd, v, count, at), DH_HERE); \
    }
#define WRITE_VECTOR_AT(name)                                                        \
    INTERCEPT(ssize_t, name, (int fd, struct iovec const *v, int count, off_t at)) { \
        sends_vector(fd, v, count, DH_HERE);                                         \
        return REAL(name)(fd, v, count, at);                                         \
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
        sends_vector(fd, v, count, DH_HERE);                                                    \
        return REAL(name)(fd, v, count, at, flags);                                             \
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

INTERCEPT(ssize_t, sendfile, (int to, int from, off_t *at, size_t size)) {
    dh_fd_release(to);
    return passed_on(from, REAL(sendfile)(to, from, at, size));
}

INTERCEPT(ssize_t, sendfile64, (int to, int from, off_t *at, size_t size)) {
    dh_fd_release(to);
    return passed_on(from, REAL(sendfile64)(to, from, at, size));
}

INTERCEPT(ssize_t, splice,
          (int from, off_t *from_at, int to, off_t *to_at, size_t size, unsigned flags)) {
    dh_fd_release(to);
    return passed_on(from, REAL(splice)(from, from_at, to, to_at, size, flags));
}

INTERCEPT(ssize_t, tee, (int from, int to, size_t size, unsigned flags)) {
    dh_fd_release(to);
    return passed_on(from, REAL(tee)(from, to, size, flags));
}

INTERCEPT(ssize_t, vmsplice, (int fd, struct iovec const *v, size_t count, unsigned flags)) {
    sends_vector(fd, v, (int)count, DH_HERE);
    return REAL(vmsplice)(fd, v, count, flags);
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
