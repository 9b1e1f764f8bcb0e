/* Channels, and which descriptor has which. */
#include "rt/intercept/fd.h"
#include "rt/intercept/intercept.h"
#include "rt/options.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

enum { DESCRIPTORS = 1 << 20, BUCKETS = 1 << 12, FIRST_SWEEP = 4096 };

/* What the two numbers of a key mean. */
enum kind { INODE, NUMBERED, STREAM, DATAGRAM, CONNECTION, SIGNAL, SYSV_SEMAPHORE, SYSV_QUEUE };

struct key {
    enum kind kind;
    uint64_t a, b;
};

/* A channel, or something that has channels, or both. Its address is that of its clock; it is never
 * used for anything else, so that one who still has a pointer to it does no harm. */
struct channel {
    struct key key;
    struct channel *in, *out; /* null: none, or not known yet */
    struct channel *next;
    uint32_t sweeps; /* that have not found it in use */
};

/* What is known by the number of the descriptor. */
struct descriptor {
    uint64_t number;  /* of its description, if the inode says nothing; 0: none yet */
    uint64_t signals; /* that a signalfd tells of */
};

static struct {
    struct dh_mutex lock;
    struct channel *buckets[BUCKETS];
    struct channel *unused;
    uint32_t count, sweep_at;
    struct descriptor *descriptors;
    int highest;
    uint64_t last_number;
} files;

static bool off(void) { return !dh_options.enabled || dh_options.io_sync == 0; }

static void enter(void) {
    dh_critical_enter();
    dh_mutex_lock(&files.lock);
    if (files.descriptors) return;
    files.descriptors = dh_reserve(DESCRIPTORS * sizeof *files.descriptors);
    if (!files.descriptors) dh_die("cannot reserve address space for descriptors (ulimit -v?)");
    files.sweep_at = FIRST_SWEEP;
}

static void leave(void) {
    dh_mutex_unlock(&files.lock);
    dh_critical_leave();
}

static struct descriptor *descriptor_locked(int fd) {
    if (fd < 0 || fd >= DESCRIPTORS) return 0;
    if (fd > files.highest) files.highest = fd;
    return &files.descriptors[fd];
}

/* ---- the table ---- */

static struct channel **bucket_of(struct key key) {
    uint64_t hash = (key.a * 0x9e3779b97f4a7c15u ^ key.b) * 0xff51afd7ed558ccdu + key.kind;
    return &files.buckets[(hash ^ hash >> 32) % BUCKETS];
}

static struct channel *find_locked(struct key key) {
    struct channel *c = *bucket_of(key);
    while (c && (c->key.kind != key.kind || c->key.a != key.a || c->key.b != key.b))
        c = c->next;
    if (c) c->sweeps = 0;
    return c;
}

static void sweep_locked(void);

static struct channel *get_locked(struct key key) {
    struct channel *c = find_locked(key);
    if (c) return c;
    if (files.count >= files.sweep_at) sweep_locked();
    c = files.unused;
    if (c)
        files.unused = c->next;
    else
        c = dh_alloc(sizeof *c);
    struct channel **bucket = bucket_of(key);
    *c = (struct channel){.key = key, .next = *bucket};
    *bucket = c;
    files.count++;
    return c;
}

/* ---- what is behind a descriptor ---- */

static uint16_t network(uint16_t port) { return (uint16_t)(port << 8 | port >> 8); }

/* The port, or a hash of the name. 0: none. */
static uint64_t place_of(struct sockaddr const *address, unsigned length) {
    if (!address || length < sizeof address->sa_family) return 0;
    switch (address->sa_family) {
    case AF_INET:
    case AF_INET6: /* the port is at the same place */
        if (length < sizeof(struct sockaddr_in)) return 0;
        return network(((struct sockaddr_in const *)address)->sin_port);
    case AF_UNIX: {
        char const *name = ((struct sockaddr_un const *)address)->sun_path;
        size_t size = length - offsetof(struct sockaddr_un, sun_path), at = 0;
        uint64_t hash = 0xcbf29ce484222325u;
        if (length <= offsetof(struct sockaddr_un, sun_path)) return 0;
        bool abstract = name[0] == 0; /* its nulls are part of it */
        for (; at < size && (abstract || name[at]); at++)
            hash = (hash ^ (uint8_t)name[at]) * 0x100000001b3u;
        return hash | (uint64_t)1 << 63;
    }
    default: return 0;
    }
}

static uint64_t place_by(long call, int fd) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (dh_syscall(call, (long)fd, &address, &length, 0l, 0l, 0l) != 0) return 0;
    return place_of((struct sockaddr *)&address, length);
}

static uint64_t own_place(int fd) { return place_by(SYS_getsockname, fd); }
static uint64_t peers_place(int fd) { return place_by(SYS_getpeername, fd); }
static bool is_name(uint64_t place) { return place >> 63; }

static bool is_datagram(int fd) {
    int type = 0;
    socklen_t length = sizeof type;
    return dh_syscall(SYS_getsockopt, (long)fd, (long)SOL_SOCKET, (long)SO_TYPE, &type, &length, 0l)
               == 0
           && type == SOCK_DGRAM;
}

/* A stream between two Unix sockets is known by the one name that it has. */
static struct channel *stream_locked(uint64_t from, uint64_t to) {
    if (is_name(from) || is_name(to)) {
        uint64_t name = is_name(from) ? from : to;
        return get_locked((struct key){STREAM, name, name});
    }
    return from && to ? get_locked((struct key){STREAM, from, to}) : 0;
}

/* Where a socket's data goes, or comes from. Not known before it is connected, or bound. */
static struct channel *socket_out_locked(struct channel *socket, int fd) {
    if (socket->out) return socket->out;
    uint64_t peer = peers_place(fd);
    if (is_datagram(fd))
        socket->out = peer ? get_locked((struct key){DATAGRAM, peer, 0}) : 0;
    else
        socket->out = stream_locked(own_place(fd), peer);
    return socket->out;
}

static struct channel *socket_in_locked(struct channel *socket, int fd) {
    if (socket->in) return socket->in;
    uint64_t own = own_place(fd);
    if (is_datagram(fd))
        socket->in = own ? get_locked((struct key){DATAGRAM, own, 0}) : 0;
    else
        socket->in = stream_locked(peers_place(fd), own);
    return socket->in;
}

struct identity {
    uint32_t mode;
    uint64_t device, inode;
};

/* What is behind the descriptor, as the kernel knows it by itself: a file server that does not
 * answer must not hold us up. */
static bool identify(int fd, struct identity *is) {
    struct statx x;
    struct stat s;
    long flags = AT_EMPTY_PATH | AT_STATX_DONT_SYNC, wanted = STATX_TYPE | STATX_INO;
    if (fd < 0) return false;
    if (dh_syscall(SYS_statx, (long)fd, "", flags, wanted, &x, 0l) == 0) {
        uint64_t device = (uint64_t)x.stx_dev_major << 32 | x.stx_dev_minor;
        *is = (struct identity){x.stx_mode, device, x.stx_ino};
        return true;
    }
    if (dh_syscall(SYS_fstat, (long)fd, &s, 0l, 0l, 0l, 0l) != 0) return false;
    *is = (struct identity){s.st_mode, s.st_dev, s.st_ino};
    return true;
}

/* The numbers by which the description is known. False: it orders nothing by being read or
 * written. (The key of a file is set all the same: a message queue is one, too.) */
static bool key_locked(int fd, struct key *key, bool *socket) {
    struct identity is;
    if (!identify(fd, &is)) return false;
    *key = (struct key){INODE, is.device, is.inode};
    *socket = S_ISSOCK(is.mode);
    switch (is.mode & S_IFMT) {
    case S_IFIFO:
    case S_IFSOCK: return true;
    case S_IFREG: return dh_options.io_sync >= 2;
    case 0: {
        struct descriptor *d = descriptor_locked(fd);
        if (!d) return false;
        if (d->number == 0) d->number = ++files.last_number;
        *key = (struct key){NUMBERED, d->number, 0};
        return true;
    }
    default: return false;
    }
}

enum way { IN, OUT };

static struct channel *channel_locked(int fd, enum way way) {
    struct key key;
    bool socket;
    if (!key_locked(fd, &key, &socket)) return 0;
    descriptor_locked(fd);
    struct channel *c = get_locked(key);
    if (!socket) return c;
    return way == OUT ? socket_out_locked(c, fd) : socket_in_locked(c, fd);
}

static struct channel *channel_of(int fd, enum way way) {
    if (dh_alone_now || off()) return 0;
    enter();
    struct channel *c = channel_locked(fd, way);
    leave();
    return c;
}

void dh_fd_release(int fd) {
    struct channel *c = channel_of(fd, OUT);
    if (c) dh_release_join(c);
}

void dh_fd_acquire(int fd) {
    struct channel *c = channel_of(fd, IN);
    if (!c) return;
    dh_acquire(c);
    uint64_t signals = c->key.kind == NUMBERED ? files.descriptors[fd].signals : 0;
    for (; signals != 0; signals &= signals - 1)
        dh_signal_received(__builtin_ctzl(signals) + 1);
}

/* ---- by address, by signal ---- */

static struct channel *channel_at(struct key key) {
    enter();
    struct channel *c = get_locked(key);
    leave();
    return c;
}

static enum kind kind_of(enum dh_port port) { return port == DH_DATAGRAM ? DATAGRAM : CONNECTION; }

void dh_address_release(enum dh_port port, struct sockaddr const *address, unsigned length) {
    if (dh_alone_now || off()) return;
    uint64_t place = place_of(address, length);
    if (place) dh_release_join(channel_at((struct key){kind_of(port), place, 0}));
}

void dh_address_acquire(enum dh_port port, int fd) {
    if (dh_alone_now || off()) return;
    uint64_t place = own_place(fd);
    if (place) dh_acquire(channel_at((struct key){kind_of(port), place, 0}));
}

void dh_signal_sent(int signal) {
    if (dh_alone_now || off()) return;
    dh_release_join(channel_at((struct key){SIGNAL, (uint64_t)signal, 0}));
}

void dh_signal_received(int signal) {
    if (dh_alone_now || off()) return;
    dh_acquire(channel_at((struct key){SIGNAL, (uint64_t)signal, 0}));
}

/* ---- System V objects, message queues ---- */

static struct key ipc_key(enum dh_ipc kind, int id, int number) {
    return (struct key){kind == DH_SEMAPHORE ? SYSV_SEMAPHORE : SYSV_QUEUE, (uint64_t)id,
                        (uint64_t)number};
}

void dh_ipc_release(enum dh_ipc kind, int id, int number) {
    if (dh_alone_now || off()) return;
    dh_release_join(channel_at(ipc_key(kind, id, number)));
}

void dh_ipc_acquire(enum dh_ipc kind, int id, int number) {
    if (dh_alone_now || off()) return;
    dh_acquire(channel_at(ipc_key(kind, id, number)));
}

/* The kernel says that it is a regular file, and has an inode for each. */
static struct channel *mq_channel(int queue) {
    struct identity is;
    if (dh_alone_now || off() || !identify(queue, &is)) return 0;
    enter();
    descriptor_locked(queue);
    struct channel *c = get_locked((struct key){INODE, is.device, is.inode});
    leave();
    return c;
}

void dh_mq_release(int queue) {
    struct channel *c = mq_channel(queue);
    if (c) dh_release_join(c);
}

void dh_mq_acquire(int queue) {
    struct channel *c = mq_channel(queue);
    if (c) dh_acquire(c);
}

/* ---- descriptors come and go ---- */

uint64_t dh_fd_number(int fd) {
    enter();
    struct descriptor *d = descriptor_locked(fd);
    if (d && d->number == 0) d->number = ++files.last_number;
    uint64_t number = d ? d->number : 0;
    leave();
    return number;
}

void dh_fd_made(int fd) {
    if (fd < 0 || off()) return;
    enter();
    struct descriptor *d = descriptor_locked(fd);
    if (d) *d = (struct descriptor){.number = ++files.last_number};
    leave();
}

void dh_fd_signals(int fd, uint64_t signals) {
    if (fd < 0 || off()) return;
    enter();
    struct descriptor *d = descriptor_locked(fd);
    if (d) d->signals = signals;
    leave();
}

void dh_fd_pair(int a, int b) {
    struct key key_a, key_b;
    bool socket;
    if (off()) return;
    enter();
    if (key_locked(a, &key_a, &socket) && key_locked(b, &key_b, &socket)) {
        struct channel *one = get_locked(key_a), *other = get_locked(key_b);
        one->in = other->out = one;
        other->in = one->out = other;
        descriptor_locked(a);
        descriptor_locked(b);
    }
    leave();
}

void dh_fd_dup(int from, int to) {
    if (from < 0 || to < 0 || off()) return;
    enter();
    struct descriptor *old = descriptor_locked(from), *new = descriptor_locked(to);
    if (old && new) {
        if (old->number == 0) old->number = ++files.last_number;
        *new = *old;
    }
    leave();
}

void dh_fd_connects(int fd) {
    struct key key;
    bool socket;
    if (off()) return;
    enter();
    struct channel *c = key_locked(fd, &key, &socket) ? find_locked(key) : 0;
    if (c && socket) c->in = c->out = 0;
    leave();
}

/* Whoever reads the end of a stream comes after who closed it. A read end says nothing to others.
 * Nothing needs to be forgotten: whatever gets the number next is looked up again. (And the child
 * of a vfork, which uses this memory, too, closes descriptors that its parent still has.) */
static bool close_is_noticed(int fd) {
    struct identity is;
    if (dh_alone_now || !identify(fd, &is)) return false;
    if (S_ISSOCK(is.mode)) return !is_datagram(fd);
    long flags = dh_syscall(SYS_fcntl, (long)fd, (long)F_GETFL, 0l, 0l, 0l, 0l);
    return S_ISFIFO(is.mode) && flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

void dh_fd_closes(unsigned from, unsigned to) {
    unsigned highest = (unsigned)__atomic_load_n(&files.highest, __ATOMIC_RELAXED);
    if (off()) return;
    if (to > highest && to != from) to = highest;
    for (unsigned fd = from; fd <= to && fd < DESCRIPTORS; fd++)
        if (close_is_noticed((int)fd)) dh_fd_release((int)fd);
}

/* ---- sweeping: channels of descriptions that are gone ---- */

static void found_locked(struct channel *c) {
    if (!c) return;
    c->sweeps = 0;
    if (c->in) c->in->sweeps = 0;
    if (c->out) c->out->sweeps = 0;
}

/* Not those that are known by an address: somebody may be about to connect there, and there are no
 * more of them than there are addresses. The others may be needed by who is just about to accept
 * what was sent and closed: so they survive one sweep. */
static bool is_over(struct channel *c) {
    return (c->key.kind == INODE || c->key.kind == NUMBERED || c->key.kind == STREAM)
           && c->sweeps++ > 0;
}

/* Of a pair one may go before the other. */
static void unlink_locked(void) {
    for (int i = 0; i < BUCKETS; i++)
        for (struct channel *c = files.buckets[i]; c; c = c->next) {
            if (c->in && c->in->sweeps > 1) c->in = 0;
            if (c->out && c->out->sweeps > 1) c->out = 0;
        }
}

static void sweep_locked(void) {
    for (int fd = 0; fd <= files.highest; fd++) {
        struct key key;
        bool socket;
        key.kind = SIGNAL; /* set to what it is if there is such a descriptor */
        key_locked(fd, &key, &socket);
        if (key.kind != SIGNAL) found_locked(find_locked(key));
    }
    struct channel *over = 0;
    for (int i = 0; i < BUCKETS; i++)
        for (struct channel **link = &files.buckets[i]; *link;) {
            struct channel *c = *link;
            if (!is_over(c)) {
                link = &c->next;
                continue;
            }
            *link = c->next;
            c->next = over;
            over = c;
            files.count--;
        }
    unlink_locked();
    while (over) {
        struct channel *c = over;
        over = c->next;
        dh_sync_gone(c);
        c->next = files.unused;
        files.unused = c;
    }
    files.sweep_at = files.count < FIRST_SWEEP / 2 ? FIRST_SWEEP : 2 * files.count;
}
