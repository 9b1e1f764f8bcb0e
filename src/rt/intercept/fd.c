/* Which descriptor has which channel. */
#include "rt/intercept/fd.h"
#include "rt/intercept/channels.h"
#include "rt/intercept/intercept.h"
#include "rt/intercept/places.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

enum { DESCRIPTORS = 1 << 20 };

/* By the descriptor: the number of its description, if the inode says nothing; 0: none yet. Under
 * the table's lock. */
static uint64_t *numbers;
static int highest;
static uint64_t last_number;

static uint64_t *number_locked(int fd) {
    if (fd < 0 || fd >= DESCRIPTORS) return 0;
    if (!numbers) {
        numbers = dh_reserve(DESCRIPTORS * sizeof *numbers);
        if (!numbers) dh_die("cannot reserve address space for descriptors (ulimit -v?)");
    }
    if (fd > highest) highest = fd;
    return &numbers[fd];
}

void dh_fd_used_locked(int fd) { number_locked(fd); }

static uint64_t number_given_locked(int fd) {
    uint64_t *number = number_locked(fd);
    if (number && *number == 0) *number = ++last_number;
    return number ? *number : 0;
}

/* ---- what is behind a descriptor ---- */

/* The numbers by which the description is known. False: it orders nothing by being read or
 * written. (The key of a file is set all the same: a message queue is one, too.) */
static bool key_locked(int fd, struct dh_channel_key *key, bool *socket) {
    struct dh_identity is;
    if (!dh_identify(fd, &is)) return false;
    *key = (struct dh_channel_key){DH_BY_INODE, is.device, is.inode};
    *socket = S_ISSOCK(is.mode);
    switch (is.mode & S_IFMT) {
    case S_IFIFO:
    case S_IFSOCK: return true;
    case S_IFREG: return dh_options.io_sync >= 2;
    case 0:
        *key = (struct dh_channel_key){DH_BY_NUMBER, number_given_locked(fd), 0};
        return key->a != 0;
    default: return false;
    }
}

void dh_fd_each_locked(void (*found)(struct dh_channel *c)) {
    for (int fd = 0; fd <= highest; fd++) {
        struct dh_channel_key key;
        bool socket;
        key.kind = DH_BY_SIGNAL; /* set to what it is if there is such a descriptor */
        key_locked(fd, &key, &socket);
        struct dh_channel *c = key.kind == DH_BY_SIGNAL ? 0 : dh_channel_find_locked(key);
        if (c) found(c);
    }
}

/* ---- sockets ---- */

static struct dh_channel *by_place_locked(enum dh_channel_kind kind, uint64_t a, uint64_t b) {
    return dh_channel_get_locked((struct dh_channel_key){kind, a, b});
}

/* Who is at the other end of a Unix socket: each sends to its own channel. */
static bool unix_peer_locked(struct dh_channel *socket) {
    if (socket->in) return true;
    uint64_t peer = dh_unix_peer(socket->key.b);
    if (peer == 0) return false;
    struct dh_channel *other =
        dh_channel_get_locked((struct dh_channel_key){DH_BY_INODE, socket->key.a, peer});
    socket->in = other;
    other->in = socket;
    return true;
}

/* The name of the one end that has one. */
static struct dh_channel *unix_name_locked(int fd) {
    uint64_t own = dh_place_own(fd), name = own ? own : dh_place_peer(fd);
    return name ? by_place_locked(DH_BY_STREAM, name, name) : 0;
}

/* Where a socket's data goes, and where it comes from. Not known before it is connected, or bound.
 */
static void unix_out_locked(struct dh_channel *socket, int fd) {
    if (!dh_socket_is_connected(fd)) return;
    socket->out = socket;
    socket->also = unix_peer_locked(socket) ? 0 : unix_name_locked(fd);
}

static void out_locked(struct dh_channel *socket, int fd) {
    if (socket->out && (!socket->also || socket->out != socket)) return;
    bool datagram = dh_socket_is_datagram(fd);
    if (!datagram && dh_socket_is_unix(fd)) {
        unix_out_locked(socket, fd);
        return;
    }
    struct sockaddr_storage name;
    socklen_t length = sizeof name;
    if (dh_syscall(SYS_getpeername, (long)fd, &name, &length, 0l, 0l, 0l) != 0) return;
    uint64_t peer = dh_place_of((struct sockaddr *)&name, length);
    uint64_t port = dh_place_port((struct sockaddr *)&name, length);
    if (peer == 0) return;
    if (datagram) {
        socket->out = by_place_locked(DH_BY_DATAGRAM, peer, 0);
        socket->also = port ? by_place_locked(DH_BY_DATAGRAM, port, 0) : 0;
    } else {
        uint64_t own = dh_place_own(fd);
        socket->out = own ? by_place_locked(DH_BY_STREAM, own, peer) : 0;
    }
}

static struct dh_channel *in_locked(struct dh_channel *socket, int fd) {
    if (socket->in) return socket->in;
    if (dh_socket_is_datagram(fd)) {
        uint64_t own = dh_place_datagrams(fd);
        socket->in = own ? by_place_locked(DH_BY_DATAGRAM, own, 0) : 0;
    } else if (dh_socket_is_unix(fd)) {
        if (!dh_socket_is_connected(fd)) return 0;
        return unix_peer_locked(socket) ? socket->in : unix_name_locked(fd);
    } else {
        uint64_t peer = dh_place_peer(fd), own = peer ? dh_place_own(fd) : 0;
        socket->in = own ? by_place_locked(DH_BY_STREAM, peer, own) : 0;
    }
    return socket->in;
}

/* ---- going in, coming out ---- */

static struct dh_sending sending_locked(int fd) {
    struct dh_sending sending = {0, 0, DH_TAKES_UNSEEN};
    struct dh_channel_key key;
    bool socket;
    if (!key_locked(fd, &key, &socket)) return sending;
    number_locked(fd);
    struct dh_channel *c = dh_channel_get_locked(key);
    if (socket) out_locked(c, fd);
    sending.out = socket ? c->out : c;
    sending.also = socket ? c->also : 0;
    sending.taking = DH_TAKES_ALL;
    return sending;
}

static struct dh_sending sending_of(int fd) {
    if (dh_alone_now || dh_channels_off()) return (struct dh_sending){0, 0, DH_TAKES_UNSEEN};
    dh_channels_enter();
    struct dh_sending sending = sending_locked(fd);
    dh_channels_leave();
    return sending;
}

/* A pipe that nobody can read any more, a socket without a peer, and what has no room and is not to
 * wait for it. (The room could come back before the call is made. Then what it takes goes
 * unchecked.) */
static bool is_refused(int fd, bool waits) {
    struct pollfd state = {.fd = fd, .events = POLLOUT};
    if (dh_syscall(SYS_poll, &state, 1l, 0l, 0l, 0l, 0l) < 0) return false;
    if (state.revents & (POLLHUP | POLLNVAL)) return true;
    if (state.revents & POLLOUT) {
        struct dh_identity is;
        return state.revents & POLLERR && dh_identify(fd, &is) && S_ISFIFO(is.mode);
    }
    long flags = dh_syscall(SYS_fcntl, (long)fd, (long)F_GETFL, 0l, 0l, 0l, 0l);
    return !waits || (flags >= 0 && flags & O_NONBLOCK);
}

struct dh_sending dh_fd_sending(int fd, bool waits) {
    struct dh_sending sending = sending_of(fd);
    if (sending.taking == DH_TAKES_ALL && is_refused(fd, waits)) sending.taking = DH_TAKES_NOTHING;
    return sending;
}

void dh_sending_release(struct dh_sending sending) {
    if (sending.out) dh_release_join(sending.out);
    if (sending.also) dh_release_join(sending.also);
}

void dh_fd_release(int fd) { dh_sending_release(sending_of(fd)); }

static struct dh_channel *in_of(int fd) {
    struct dh_channel_key key;
    bool socket;
    struct dh_channel *c = 0;
    if (dh_alone_now || dh_channels_off()) return 0;
    dh_channels_enter();
    if (key_locked(fd, &key, &socket)) {
        number_locked(fd);
        c = dh_channel_get_locked(key);
        if (socket) c = in_locked(c, fd);
    }
    dh_channels_leave();
    return c;
}

/* A signalfd that is ready to be read tells of signals that are pending. */
static void acquire_pending(uint64_t signals) {
    uint64_t pending = 0;
    dh_syscall(SYS_rt_sigpending, &pending, (long)sizeof pending, 0l, 0l, 0l, 0l);
    for (signals &= pending; signals != 0; signals &= signals - 1)
        dh_signal_received(__builtin_ctzl(signals) + 1);
}

void dh_fd_acquire(int fd) {
    struct dh_channel *c = in_of(fd);
    if (!c) return;
    dh_acquire(c);
    if (c->signals) acquire_pending(c->signals);
}

/* Those that are told one after the other; each fits into one buffer. */
static void acquire_told(struct iovec const *v, long count, size_t size) {
    size_t skip = 0, record = sizeof(struct signalfd_siginfo);
    for (long i = 0; i < count && size > 0; i++) {
        size_t part = v[i].iov_len < size ? v[i].iov_len : size, at = skip;
        for (; at + record <= part; at += record) {
            struct signalfd_siginfo const *told = (void const *)((char const *)v[i].iov_base + at);
            dh_signal_received((int)told->ssi_signo);
        }
        size -= part;
        skip = at > part ? at - part : 0;
    }
}

void dh_fd_acquire_read(int fd, struct iovec const *v, long count, size_t size) {
    struct dh_channel *c = in_of(fd);
    if (!c) return;
    dh_acquire(c);
    if (c->signals) acquire_told(v, count, size);
}

/* ---- connections ---- */

/* (That there was a connection is worth knowing even while nothing is ordered yet.) */
static bool is_stream(int fd, struct dh_identity *is) {
    if (dh_channels_off()) return false;
    return dh_identify(fd, is) && S_ISSOCK(is->mode) && !dh_socket_is_datagram(fd);
}

static struct dh_channel *connection_at(uint64_t place) {
    return dh_channel_at((struct dh_channel_key){DH_BY_CONNECTION, place, 0});
}

/* Whatever it was connected to before. */
static void disconnect(int fd) {
    struct dh_channel_key key;
    bool socket;
    dh_channels_enter();
    struct dh_channel *c = key_locked(fd, &key, &socket) ? dh_channel_find_locked(key) : 0;
    if (c && socket) c->in = c->out = c->also = 0;
    dh_channels_leave();
}

void dh_fd_connects(int fd, struct sockaddr const *address, unsigned length) {
    struct dh_identity is;
    if (!dh_channels_off()) disconnect(fd);
    uint64_t place = dh_place_of(address, length);
    if (!is_stream(fd, &is) || place == 0) return;
    if (address->sa_family == AF_UNIX)
        dh_release_join(dh_channel_at((struct dh_channel_key){DH_BY_INODE, is.device, is.inode}));
    dh_release_join(connection_at(place));
}

/* An internet socket has its own address only now: where that is known, who accepts need not take
 * what others say who connect to the same place. (A Unix socket may have been accepted by now, and
 * know its peer.) */
void dh_fd_connected(int fd, struct sockaddr const *address, unsigned length) {
    struct dh_identity is;
    if (dh_channels_off() || !address || address->sa_family == AF_UNIX) return;
    disconnect(fd);
    uint64_t place = dh_place_of(address, length), own = place ? dh_place_own(fd) : 0;
    if (!is_stream(fd, &is) || own == 0) return;
    struct dh_channel *c = dh_channel_at((struct dh_channel_key){DH_BY_STREAM, own, place});
    dh_release_join(c);
    __atomic_store_n(&c->connected, true, __ATOMIC_RELEASE);
}

void dh_fd_accepted(int fd) {
    struct dh_identity is;
    if (!is_stream(fd, &is)) return;
    struct dh_channel *c = in_of(fd);
    bool known = c
                 && (c->key.kind == DH_BY_INODE
                     || __atomic_exchange_n(&c->connected, false, __ATOMIC_ACQUIRE));
    if (c) dh_acquire(c);
    uint64_t place = known ? 0 : dh_place_own(fd);
    if (place) dh_acquire(connection_at(place));
}

/* ---- descriptors come and go ---- */

uint64_t dh_fd_number(int fd) {
    dh_channels_enter();
    uint64_t number = number_given_locked(fd);
    dh_channels_leave();
    return number;
}

void dh_fd_made(int fd) {
    if (fd < 0 || dh_channels_off()) return;
    dh_channels_enter();
    uint64_t *number = number_locked(fd);
    if (number) *number = ++last_number;
    dh_channels_leave();
}

void dh_fd_signals(int fd, uint64_t signals) {
    struct dh_channel_key key;
    bool socket;
    if (fd < 0 || dh_channels_off()) return;
    dh_channels_enter();
    if (key_locked(fd, &key, &socket)) dh_channel_get_locked(key)->signals = signals;
    dh_channels_leave();
}

void dh_fd_pair(int a, int b) {
    struct dh_channel_key key_a, key_b;
    bool socket;
    if (dh_channels_off()) return;
    dh_channels_enter();
    if (key_locked(a, &key_a, &socket) && key_locked(b, &key_b, &socket)) {
        struct dh_channel *one = dh_channel_get_locked(key_a),
                          *other = dh_channel_get_locked(key_b);
        one->out = other->in = one;
        other->out = one->in = other;
        number_locked(a);
        number_locked(b);
    }
    dh_channels_leave();
}

void dh_fd_dup(int from, int to) {
    if (from < 0 || to < 0 || dh_channels_off()) return;
    dh_channels_enter();
    uint64_t *new = number_locked(to);
    if (new) *new = number_given_locked(from);
    dh_channels_leave();
}

/* Whoever reads the end of a stream comes after who closed it. A read end says nothing to others.
 * Nothing needs to be forgotten: whatever gets the number next is looked up again. (And the child
 * of a vfork, which uses this memory, too, closes descriptors that its parent still has.) */
static bool close_is_noticed(int fd) {
    struct dh_identity is;
    if (dh_alone_now || !dh_identify(fd, &is)) return false;
    if (S_ISSOCK(is.mode)) return !dh_socket_is_datagram(fd);
    long flags = dh_syscall(SYS_fcntl, (long)fd, (long)F_GETFL, 0l, 0l, 0l, 0l);
    return S_ISFIFO(is.mode) && flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

static void closes(int fd) {
    if (close_is_noticed(fd)) dh_fd_release(fd);
}

void dh_fd_closes(unsigned from, unsigned to) {
    if (dh_alone_now || dh_channels_off()) return;
    if (from == to)
        closes((int)from);
    else
        dh_each_open(from, to, closes);
}
