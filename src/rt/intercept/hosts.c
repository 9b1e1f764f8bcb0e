/* Hosts, networks, services and protocols by name. What the older functions return is overwritten
 * by the next call, of whichever thread; where one stands that goes through all of them is one
 * place for all. */
#include "rt/intercept/table.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <sys/socket.h>

/* ---- entries, as libc writes them ---- */

static void list_written(char **list, struct dh_here here) {
    size_t count = 0;
    if (!list) return;
    for (; list[count]; count++)
        WRITES_STRING(list[count])
    WRITES_BYTES(list, (count + 1) * sizeof *list)
}

static void hostent_written(struct hostent *h, struct dh_here here) {
    size_t count = 0;
    if (!h) return;
    WRITES(h)
    WRITES_STRING(h->h_name)
    list_written(h->h_aliases, here);
    for (; h->h_addr_list[count]; count++)
        WRITES_BYTES(h->h_addr_list[count], (size_t)h->h_length)
    WRITES_BYTES(h->h_addr_list, (count + 1) * sizeof *h->h_addr_list)
}

static void servent_written(struct servent *s, struct dh_here here) {
    if (!s) return;
    WRITES(s)
    WRITES_STRING(s->s_name)
    WRITES_STRING(s->s_proto)
    list_written(s->s_aliases, here);
}

static void protoent_written(struct protoent *p, struct dh_here here) {
    if (!p) return;
    WRITES(p)
    WRITES_STRING(p->p_name)
    list_written(p->p_aliases, here);
}

static void netent_written(struct netent *n, struct dh_here here) {
    if (!n) return;
    WRITES(n)
    WRITES_STRING(n->n_name)
    list_written(n->n_aliases, here);
}

/* ---- one of them: as libc keeps it, and into memory of the program's ---- */

#define LIST(...) __VA_ARGS__
#define FIND(type, name, parameters, arguments, before, written)                                  \
    ROW(struct type *, name, (LIST parameters), (LIST arguments), before, written(result, here);) \
    ROW(int, name##_r,                                                                            \
        (LIST parameters, struct type * to, char *p, size_t room, struct type **found),           \
        (LIST arguments, to, p, room, found), before,                                             \
        WRITES(found) if (result == 0 && *found) written(to, here);)
FIND(servent, getservbyname, (char const *name, char const *protocol), (name, protocol),
     READS_STRING(name) READS_STRING(protocol), servent_written)
FIND(servent, getservbyport, (int port, char const *protocol), (port, protocol),
     READS_STRING(protocol), servent_written)
FIND(protoent, getprotobyname, (char const *name), (name), READS_STRING(name), protoent_written)
FIND(protoent, getprotobynumber, (int number), (number), , protoent_written)

/* These say why they failed, too. */
#define FIND_WHY(type, name, parameters, arguments, before, written)                              \
    ROW(struct type *, name, (LIST parameters), (LIST arguments), before, written(result, here);) \
    ROW(int, name##_r,                                                                            \
        (LIST parameters, struct type * to, char *p, size_t room, struct type **found, int *why), \
        (LIST arguments, to, p, room, found, why), before,                                        \
        WRITES(found) if (result == 0 && *found) written(to, here);                               \
        else WRITES(why))
FIND_WHY(hostent, gethostbyname, (char const *name), (name), READS_STRING(name), hostent_written)
FIND_WHY(hostent, gethostbyname2, (char const *name, int family), (name, family),
         READS_STRING(name), hostent_written)
FIND_WHY(hostent, gethostbyaddr, (void const *address, socklen_t length, int family),
         (address, length, family), READS_BYTES(address, length), hostent_written)
FIND_WHY(netent, getnetbyname, (char const *name), (name), READS_STRING(name), netent_written)
FIND_WHY(netent, getnetbyaddr, (uint32_t net, int family), (net, family), , netent_written)

/* ---- all of them, one after the other ---- */

#define EACH(type, next, first, last, written)                                       \
    static char at_##type;                                                           \
    ROW(struct type *, next, (void), (), WRITES(&at_##type), written(result, here);) \
    ROW_VOID(first, (int stay), (stay), WRITES(&at_##type), )                        \
    ROW_VOID(last, (void), (), WRITES(&at_##type), )
EACH(hostent, gethostent, sethostent, endhostent, hostent_written)
EACH(servent, getservent, setservent, endservent, servent_written)
EACH(protoent, getprotoent, setprotoent, endprotoent, protoent_written)
EACH(netent, getnetent, setnetent, endnetent, netent_written)

#define EACH_INTO(type, name, written)                                            \
    ROW(int, name, (struct type * to, char *p, size_t room, struct type **found), \
        (to, p, room, found), WRITES(&at_##type),                                 \
        WRITES(found) if (result == 0 && *found) written(to, here);)
EACH_INTO(servent, getservent_r, servent_written)
EACH_INTO(protoent, getprotoent_r, protoent_written)
#define EACH_INTO_WHY(type, name, written)                                                  \
    ROW(int, name, (struct type * to, char *p, size_t room, struct type **found, int *why), \
        (to, p, room, found, why), WRITES(&at_##type),                                      \
        WRITES(found) if (result == 0 && *found) written(to, here);                         \
        else WRITES(why))
EACH_INTO_WHY(hostent, gethostent_r, hostent_written)
EACH_INTO_WHY(netent, getnetent_r, netent_written)

/* ---- addresses ---- */

ROW(int, getaddrinfo,
    (char const *node, char const *service, struct addrinfo const *hints, struct addrinfo **to),
    (node, service, hints, to), READS_STRING(node) READS_STRING(service) READS(hints),
    if (result == 0) WRITES(to))
ROW(
    int, getnameinfo,
    (struct sockaddr const *address, socklen_t length, char *host, socklen_t host_room,
     char *service, socklen_t service_room, int flags),
    (address, length, host, host_room, service, service_room, flags), READS_BYTES(address, length),
    if (result == 0) {
        if (host_room) WRITES_STRING(host)
        if (service_room) WRITES_STRING(service)
    })

/* libc frees what it allocated itself: the end of the blocks is not seen there. */
static void addresses_end(struct addrinfo *list, struct dh_here here) {
    for (struct addrinfo *a = list; a; a = a->ai_next) {
        WRITES_BYTES(a->ai_addr, a->ai_addrlen)
        WRITES_STRING(a->ai_canonname)
        WRITES(a)
    }
}
ROW_VOID(freeaddrinfo, (struct addrinfo * list), (list), addresses_end(list, here);, )

ROW(int, getifaddrs, (struct ifaddrs * *to), (to), , if (result == 0) WRITES(to))
static void interfaces_end(struct ifaddrs *list, struct dh_here here) {
    for (struct ifaddrs *i = list; i; i = i->ifa_next) {
        WRITES_STRING(i->ifa_name)
        WRITES(i)
    }
}
ROW_VOID(freeifaddrs, (struct ifaddrs * list), (list), interfaces_end(list, here);, )

ROW(unsigned, if_nametoindex, (char const *name), (name), READS_STRING(name), )
ROW(char *, if_indextoname, (unsigned index, char *to), (index, to), , WRITES_STRING(result))
static void names_end(struct if_nameindex *list, struct dh_here here) {
    for (struct if_nameindex *i = list; i && i->if_name; i++) {
        WRITES_STRING(i->if_name)
        WRITES(i)
    }
}
ROW_VOID(if_freenameindex, (struct if_nameindex * list), (list), names_end(list, here);, )
