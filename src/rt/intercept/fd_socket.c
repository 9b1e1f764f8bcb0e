/* Sockets: connections, and messages with all that goes with them. */
#include "rt/intercept/fd.h"
#include "rt/intercept/intercept.h"
#include "rt/intercept/places.h"
#include "rt/intercept/vectors.h"

#include <errno.h>
#include <sys/socket.h>

/* ---- connections: what came before connect, comes before accept ---- */

INTERCEPT(int, connect, (int fd, struct sockaddr const *address, socklen_t length)) {
    if (dh_checking() && address) dh_range_read(address, length, DH_HERE);
    dh_fd_connects(fd, address, length);
    int failed = REAL(connect)(fd, address, length), before = errno;
    if (!failed || before == EINPROGRESS) dh_fd_connected(fd, address, length);
    errno = before;
    return failed;
}

/* The kernel writes as much of the address as there is room for, and says how much it would be. */
static void address_written(void *address, socklen_t const *length, socklen_t room,
                            struct dh_here here) {
    if (!address || !length || !dh_checking()) return;
    dh_range_write(address, *length < room ? *length : room, here);
    dh_range_write(length, sizeof *length, here);
}

static int accepted(int new, struct sockaddr *address, socklen_t *length, socklen_t room,
                    struct dh_here here) {
    if (new < 0) return new;
    dh_fd_accepted(new);
    address_written(address, length, room, here);
    return new;
}

static socklen_t room_in(void const *address, socklen_t const *length) {
    return address && length ? *length : 0;
}

INTERCEPT(int, accept, (int fd, struct sockaddr *address, socklen_t *length)) {
    socklen_t room = room_in(address, length);
    return accepted(REAL(accept)(fd, address, length), address, length, room, DH_HERE);
}

INTERCEPT(int, accept4, (int fd, struct sockaddr *address, socklen_t *length, int flags)) {
    socklen_t room = room_in(address, length);
    return accepted(REAL(accept4)(fd, address, length, flags), address, length, room, DH_HERE);
}

INTERCEPT(int, shutdown, (int fd, int how)) {
    if (how != SHUT_RD) dh_fd_release(fd);
    return REAL(shutdown)(fd, how);
}

/* ---- sending ---- */

/* A datagram goes where its address says; without one, and in a stream, to the socket's peer. */
struct going {
    struct dh_sending sending;
    struct sockaddr const *to;
    socklen_t length;
};

static struct going goes(int fd, int flags, struct sockaddr const *to, socklen_t length) {
    struct going going = {dh_fd_sending(fd, !(flags & MSG_DONTWAIT)), 0, 0};
    if (to && !dh_alone_now && dh_socket_is_datagram(fd)) {
        going.to = to;
        going.length = length;
    }
    return going;
}

static void go(struct going going) {
    if (going.to)
        dh_address_release(going.to, going.length);
    else
        dh_sending_release(going.sending);
}

/* Before the call, and after it: fd_io.c says why. */
static bool counts_before(struct going going) {
    return going.sending.taking == DH_TAKES_ALL && dh_checking();
}
static bool counts_after(struct going going, ssize_t size) {
    return going.sending.taking == DH_TAKES_UNSEEN && size >= 0 && dh_checking();
}

INTERCEPT(ssize_t, send, (int fd, void const *p, size_t size, int flags)) {
    struct going going = goes(fd, flags, 0, 0);
    if (counts_before(going)) dh_range_read(p, size, DH_HERE);
    go(going);
    ssize_t sent = REAL(send)(fd, p, size, flags);
    if (counts_after(going, sent)) dh_range_read(p, (size_t)sent, DH_HERE);
    return sent;
}

INTERCEPT(ssize_t, sendto,
          (int fd, void const *p, size_t size, int flags, struct sockaddr const *to,
           socklen_t length)) {
    struct going going = goes(fd, flags, to, length);
    if (to && dh_checking()) dh_range_read(to, length, DH_HERE);
    if (counts_before(going)) dh_range_read(p, size, DH_HERE);
    go(going);
    ssize_t sent = REAL(sendto)(fd, p, size, flags, to, length);
    if (counts_after(going, sent)) dh_range_read(p, (size_t)sent, DH_HERE);
    return sent;
}

static void message_read(struct msghdr const *m, size_t size, struct dh_here here) {
    dh_range_read(m, sizeof *m, here);
    if (m->msg_name) dh_range_read(m->msg_name, m->msg_namelen, here);
    dh_vector_read(m->msg_iov, (long)m->msg_iovlen, size, here);
    if (m->msg_control) dh_range_read(m->msg_control, m->msg_controllen, here);
}

INTERCEPT(ssize_t, sendmsg, (int fd, struct msghdr const *m, int flags)) {
    struct going going = goes(fd, flags, m->msg_name, m->msg_namelen);
    if (counts_before(going)) message_read(m, SIZE_MAX, DH_HERE);
    go(going);
    ssize_t sent = REAL(sendmsg)(fd, m, flags);
    if (counts_after(going, sent)) message_read(m, (size_t)sent, DH_HERE);
    return sent;
}

INTERCEPT(int, sendmmsg, (int fd, struct mmsghdr *list, unsigned count, int flags)) {
    for (unsigned i = 0; i < count; i++) {
        struct msghdr const *m = &list[i].msg_hdr;
        struct going going = goes(fd, flags, m->msg_name, m->msg_namelen);
        if (counts_before(going)) message_read(m, SIZE_MAX, DH_HERE);
        go(going);
    }
    int sent = REAL(sendmmsg)(fd, list, count, flags);
    if (dh_checking())
        for (int i = 0; i < sent; i++)
            dh_range_write(&list[i].msg_len, sizeof list[i].msg_len, DH_HERE);
    return sent;
}

/* ---- receiving ---- */

/* With MSG_TRUNC the size is that of the message, not of what was written. */
static ssize_t received(int fd, void *p, size_t room, ssize_t size, struct dh_here here) {
    if (size < 0) return size;
    dh_fd_acquire(fd);
    if (dh_checking()) dh_range_write(p, (size_t)size < room ? (size_t)size : room, here);
    return size;
}

INTERCEPT(ssize_t, recv, (int fd, void *p, size_t room, int flags)) {
    return received(fd, p, room, REAL(recv)(fd, p, room, flags), DH_HERE);
}

INTERCEPT(ssize_t, recvfrom,
          (int fd, void *p, size_t room, int flags, struct sockaddr *from, socklen_t *length)) {
    socklen_t address_room = room_in(from, length);
    ssize_t size = received(fd, p, room, REAL(recvfrom)(fd, p, room, flags, from, length), DH_HERE);
    if (size >= 0) address_written(from, length, address_room, DH_HERE);
    return size;
}

/* What the caller left room for: the kernel writes what it used over these. */
struct rooms {
    socklen_t name;
    size_t control;
};

static struct rooms rooms_of(struct msghdr const *m) {
    return (struct rooms){m->msg_namelen, m->msg_controllen};
}

/* Descriptors that came along are new ones. */
static void take_descriptors(struct msghdr *m) {
    for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
        int const *fds = (int const *)CMSG_DATA(c);
        for (size_t i = 0; i < (c->cmsg_len - CMSG_LEN(0)) / sizeof *fds; i++)
            dh_fd_made(fds[i]);
    }
}

static void received_message(int fd, struct msghdr *m, size_t size, struct rooms rooms,
                             struct dh_here here) {
    dh_fd_acquire(fd);
    take_descriptors(m);
    if (!dh_checking()) return;
    dh_range_write(m, sizeof *m, here);
    dh_vector_write(m->msg_iov, (long)m->msg_iovlen, size, here);
    if (m->msg_name)
        dh_range_write(m->msg_name, m->msg_namelen < rooms.name ? m->msg_namelen : rooms.name,
                       here);
    if (m->msg_control)
        dh_range_write(m->msg_control,
                       m->msg_controllen < rooms.control ? m->msg_controllen : rooms.control, here);
}

INTERCEPT(ssize_t, recvmsg, (int fd, struct msghdr *m, int flags)) {
    struct rooms rooms = rooms_of(m);
    ssize_t size = REAL(recvmsg)(fd, m, flags);
    if (size >= 0) received_message(fd, m, (size_t)size, rooms, DH_HERE);
    return size;
}

/* How much room each had is no longer known: what the kernel used is no more than that. */
INTERCEPT(int, recvmmsg,
          (int fd, struct mmsghdr *list, unsigned count, int flags, struct timespec *until)) {
    int got = REAL(recvmmsg)(fd, list, count, flags, until);
    for (int i = 0; i < got; i++) {
        received_message(fd, &list[i].msg_hdr, list[i].msg_len, rooms_of(&list[i].msg_hdr),
                         DH_HERE);
        if (dh_checking()) dh_range_write(&list[i].msg_len, sizeof list[i].msg_len, DH_HERE);
    }
    return got;
}

/* ---- with _FORTIFY_SOURCE: the real ones abort if `limit` is too small ---- */

INTERCEPT(ssize_t, __recv_chk, (int fd, void *p, size_t room, size_t limit, int flags)) {
    return received(fd, p, room, REAL(__recv_chk)(fd, p, room, limit, flags), DH_HERE);
}

INTERCEPT(ssize_t, __recvfrom_chk,
          (int fd, void *p, size_t room, size_t limit, int flags, struct sockaddr *from,
           socklen_t *length)) {
    socklen_t address_room = room_in(from, length);
    ssize_t size = REAL(__recvfrom_chk)(fd, p, room, limit, flags, from, length);
    received(fd, p, room, size, DH_HERE);
    if (size >= 0) address_written(from, length, address_room, DH_HERE);
    return size;
}
