/* Addresses and options of sockets; addresses as text. */
#include "rt/intercept/table.h"

#include <arpa/inet.h>
#include <sys/socket.h>

ROW(int, bind, (int fd, struct sockaddr const *address, socklen_t length), (fd, address, length),
    READS_BYTES(address, length), )

/* The kernel writes as much as there is room for, and says how much it would be. */
#define NAME(name)                                                                \
    INTERCEPT(int, name, (int fd, struct sockaddr *address, socklen_t *length)) { \
        struct dh_here here = DH_HERE;                                            \
        socklen_t room = *length;                                                 \
        int failed = REAL(name)(fd, address, length);                             \
        if (failed || !dh_checking()) return failed;                              \
        WRITES_BYTES(address, *length < room ? *length : room)                    \
        WRITES(length)                                                            \
        return 0;                                                                 \
    }
NAME(getsockname)
NAME(getpeername)

ROW(int, setsockopt, (int fd, int level, int name, void const *value, socklen_t length),
    (fd, level, name, value, length), READS_BYTES(value, length), )
ROW(int, getsockopt, (int fd, int level, int name, void *value, socklen_t *length),
    (fd, level, name, value, length), ,
    if (result == 0){WRITES_BYTES(value, *length) WRITES(length)})

static size_t address_size(int family) {
    return family == AF_INET    ? sizeof(struct in_addr)
           : family == AF_INET6 ? sizeof(struct in6_addr)
                                : 0;
}
ROW(int, inet_pton, (int family, char const *s, void *to), (family, s, to), READS_STRING(s),
    if (result == 1) WRITES_BYTES(to, address_size(family)))
ROW(char const *, inet_ntop, (int family, void const *from, char *to, socklen_t room),
    (family, from, to, room), READS_BYTES(from, address_size(family)), WRITES_STRING(result))
ROW(int, inet_aton, (char const *s, struct in_addr *to), (s, to), READS_STRING(s),
    if (result) WRITES(to))
ROW(in_addr_t, inet_network, (char const *s), (s), READS_STRING(s), )
ROW(in_addr_t, inet_addr, (char const *s), (s), READS_STRING(s), )
ROW(char *, inet_ntoa, (struct in_addr from), (from), , WRITES_STRING(result))
