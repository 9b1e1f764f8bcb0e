#include "rt/intercept/places.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

bool dh_identify(int fd, struct dh_identity *is) {
    struct statx x;
    struct stat s;
    long flags = AT_EMPTY_PATH | AT_STATX_DONT_SYNC, wanted = STATX_TYPE | STATX_INO;
    if (fd < 0) return false;
    if (dh_syscall(SYS_statx, (long)fd, "", flags, wanted, &x, 0l) == 0) {
        uint64_t device = (uint64_t)x.stx_dev_major << 32 | x.stx_dev_minor;
        *is = (struct dh_identity){x.stx_mode, device, x.stx_ino};
        return true;
    }
    if (dh_syscall(SYS_fstat, (long)fd, &s, 0l, 0l, 0l, 0l) != 0) return false;
    *is = (struct dh_identity){s.st_mode, s.st_dev, s.st_ino};
    return true;
}

/* ---- descriptors that are open ---- */

/* -1: the name is not a number. */
static int number_of(char const *name) {
    int number = 0;
    for (; *name >= '0' && *name <= '9'; name++)
        number = number * 10 + (*name - '0');
    return *name ? -1 : number;
}

bool dh_each_open(unsigned from, unsigned to, void (*f)(int fd)) {
    _Alignas(struct dirent64) char entries[2048];
    long size, directory = dh_syscall(SYS_open, "/proc/self/fd",
                                      (long)(O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0l, 0l, 0l, 0l);
    if (directory < 0) return false;
    while ((size = dh_syscall(SYS_getdents64, directory, entries, (long)sizeof entries, 0l, 0l, 0l))
           > 0)
        for (long at = 0; at < size;) {
            struct dirent64 const *entry = (struct dirent64 const *)(entries + at);
            int fd = number_of(entry->d_name);
            if (fd >= 0 && (unsigned)fd >= from && (unsigned)fd <= to && fd != directory) f(fd);
            at += entry->d_reclen;
        }
    dh_syscall(SYS_close, directory, 0l, 0l, 0l, 0l, 0l);
    return true;
}

/* ---- places ---- */

#define HASH_BEGIN 0xcbf29ce484222325u

static uint64_t hash_more(uint64_t hash, void const *p, size_t size) {
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((uint8_t const *)p)[i]) * 0x100000001b3u;
    return hash;
}

static bool is_zero(uint8_t const *p, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (p[i] != 0) return false;
    return true;
}

/* The bytes of an address: 4 or 16 of them; 0 if it is the one that means all, or none. */
static size_t address_bytes(struct sockaddr const *address, uint8_t const **bytes) {
    static uint8_t const mapped[12] = {[10] = 0xff, [11] = 0xff};
    size_t size = 4;
    if (address->sa_family == AF_INET) {
        *bytes = (uint8_t const *)&((struct sockaddr_in const *)address)->sin_addr;
    } else {
        *bytes = (uint8_t const *)&((struct sockaddr_in6 const *)address)->sin6_addr;
        size = 16;
        if (dh_compare(*bytes, mapped, sizeof mapped) == 0) {
            *bytes += sizeof mapped;
            size = 4;
        }
    }
    return is_zero(*bytes, size) ? 0 : size;
}

static bool is_internet(struct sockaddr const *address, unsigned length) {
    if (!address || length < sizeof(struct sockaddr_in)) return false;
    return address->sa_family == AF_INET
           || (address->sa_family == AF_INET6 && length >= sizeof(struct sockaddr_in6));
}

uint64_t dh_place_port(struct sockaddr const *address, unsigned length) {
    if (!is_internet(address, length)) return 0;
    return ((struct sockaddr_in const *)address)->sin_port; /* where IPv6 has it, too */
}

/* The host itself, in the way it will be written when the connection is there. */
static uint64_t internet_place(struct sockaddr const *address, unsigned length) {
    static uint8_t const loopback[4] = {127, 0, 0, 1}, loopback6[16] = {[15] = 1};
    uint64_t port = dh_place_port(address, length);
    uint8_t const *bytes;
    size_t size = address_bytes(address, &bytes);
    if (port == 0) return 0;
    if (size == 0) {
        bool four = address->sa_family == AF_INET;
        bytes = four ? loopback : loopback6;
        size = four ? sizeof loopback : sizeof loopback6;
    }
    return hash_more(hash_more(HASH_BEGIN, &port, sizeof port), bytes, size);
}

uint64_t dh_place_of(struct sockaddr const *address, unsigned length) {
    if (!address || length < sizeof address->sa_family) return 0;
    if (is_internet(address, length)) return internet_place(address, length);
    if (address->sa_family != AF_UNIX || length <= offsetof(struct sockaddr_un, sun_path)) return 0;
    char const *name = ((struct sockaddr_un const *)address)->sun_path;
    size_t size = length - offsetof(struct sockaddr_un, sun_path), used = size;
    if (name[0] != 0) /* else it is abstract, and its nulls are part of it */
        for (used = 0; used < size && name[used];)
            used++;
    return hash_more(HASH_BEGIN, name, used);
}

static socklen_t name_by(long call, int fd, struct sockaddr_storage *name) {
    socklen_t length = sizeof *name;
    return dh_syscall(call, (long)fd, name, &length, 0l, 0l, 0l) == 0 ? length : 0;
}

uint64_t dh_place_own(int socket) {
    struct sockaddr_storage name;
    socklen_t length = name_by(SYS_getsockname, socket, &name);
    return dh_place_of((struct sockaddr *)&name, length);
}

uint64_t dh_place_peer(int socket) {
    struct sockaddr_storage name;
    socklen_t length = name_by(SYS_getpeername, socket, &name);
    return dh_place_of((struct sockaddr *)&name, length);
}

uint64_t dh_place_datagrams(int socket) {
    struct sockaddr_storage name;
    uint8_t const *bytes;
    socklen_t length = name_by(SYS_getsockname, socket, &name);
    struct sockaddr *address = (struct sockaddr *)&name;
    if (is_internet(address, length) && address_bytes(address, &bytes) == 0)
        return dh_place_port(address, length);
    return dh_place_of(address, length);
}

/* ---- kinds of sockets ---- */

static int option_of(int socket, int option) {
    int value = -1;
    socklen_t length = sizeof value;
    dh_syscall(SYS_getsockopt, (long)socket, (long)SOL_SOCKET, (long)option, &value, &length, 0l);
    return value;
}

bool dh_socket_is_connected(int socket) {
    struct sockaddr_storage name;
    return name_by(SYS_getpeername, socket, &name) != 0;
}

bool dh_socket_is_datagram(int socket) { return option_of(socket, SO_TYPE) == SOCK_DGRAM; }
bool dh_socket_is_unix(int socket) { return option_of(socket, SO_DOMAIN) == AF_UNIX; }

/* ---- who is at the other end ---- */

struct question {
    struct nlmsghdr header;
    struct unix_diag_req request;
};

static uint64_t peer_in(char const *reply, long size) {
    struct nlmsghdr const *header = (struct nlmsghdr const *)reply;
    struct unix_diag_msg const *message = NLMSG_DATA(header);
    if (size < (long)NLMSG_LENGTH(sizeof *message) || header->nlmsg_type != SOCK_DIAG_BY_FAMILY
        || header->nlmsg_len > (size_t)size)
        return 0;
    struct rtattr const *attribute = (struct rtattr const *)(message + 1);
    size_t left = header->nlmsg_len - NLMSG_LENGTH(sizeof *message);
    for (; RTA_OK(attribute, left); attribute = RTA_NEXT(attribute, left))
        if (attribute->rta_type == UNIX_DIAG_PEER && attribute->rta_len >= RTA_LENGTH(4))
            return *(uint32_t const *)RTA_DATA(attribute);
    return 0;
}

uint64_t dh_unix_peer(uint64_t inode) {
    struct question question = {
        .header = {sizeof question, SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST, 0, 0},
        .request = {.sdiag_family = AF_UNIX,
                    .udiag_states = UINT32_MAX,
                    .udiag_ino = (uint32_t)inode,
                    .udiag_show = UDIAG_SHOW_PEER,
                    .udiag_cookie = {UINT32_MAX, UINT32_MAX}},
    };
    _Alignas(struct nlmsghdr) char reply[512];
    uint64_t peer = 0;
    long fd = dh_syscall(SYS_socket, (long)AF_NETLINK, (long)(SOCK_RAW | SOCK_CLOEXEC),
                         (long)NETLINK_SOCK_DIAG, 0l, 0l, 0l);
    if (fd < 0) return 0;
    if (dh_syscall(SYS_sendto, fd, &question, (long)sizeof question, 0l, 0l, 0l) > 0) {
        long size =
            dh_syscall(SYS_recvfrom, fd, reply, (long)sizeof reply, (long)MSG_DONTWAIT, 0l, 0l);
        peer = peer_in(reply, size);
    }
    dh_syscall(SYS_close, fd, 0l, 0l, 0l, 0l, 0l);
    return peer;
}
