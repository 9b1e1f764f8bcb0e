/* Hosts, services and protocols. */
#include "spans.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>

static char text[4096]; /* what the entries point at is somewhere in here */
#define FOUND W(c, 0, 8)
#define NUMBER SET(a, "127.0.0.1")
#define NUMBER_R R(a, 0, 10)
#define HOST_W W(b, 0, sizeof(struct hostent))
static struct addrinfo const *numeric(void) {
    *(struct addrinfo *)m.b = (struct addrinfo){.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM};
    return (struct addrinfo *)m.b;
}
static struct sockaddr_in an_address(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(80)};
    inet_pton(AF_INET, "1.2.3.4", &address.sin_addr);
    return address;
}

static int why;

#define CASES(X)                                                                                       \
    X(gethostbyname, NUMBER, KEEP(gethostbyname(m.a)), NUMBER_R)                                       \
    X(gethostbyname2, NUMBER, KEEP(gethostbyname2(m.a, AF_INET)), NUMBER_R)                            \
    X(gethostbyname_r, NUMBER, KEEP(gethostbyname_r(m.a, (void *)m.b, text, n(4096), (void *)m.c, (int *)m.n)), \
      NUMBER_R, HOST_W, FOUND)                                                                         \
    X(gethostbyname2_r, NUMBER, KEEP(gethostbyname2_r(m.a, AF_INET, (void *)m.b, text, n(4096),        \
      (void *)m.c, (int *)m.n)), NUMBER_R, HOST_W, FOUND)                                              \
    X(gethostbyaddr, , KEEP(gethostbyaddr(m.a, 4, AF_UNSPEC)), R(a, 0, 4))                             \
    X(gethostbyaddr_r, , KEEP(gethostbyaddr_r(m.a, 4, AF_UNSPEC, (void *)m.b, text, n(4096),           \
      (void *)m.c, (int *)m.n)), R(a, 0, 4), FOUND, W(n, 0, 4))                                        \
    X(getservbyname, SET(a, "no-such"); SET(b, "tcp"), KEEP(getservbyname(m.a, m.b)), R(a, 0, 8), R(b, 0, 4)) \
    X(getservbyname_r, SET(a, "no-such"), KEEP(getservbyname_r(m.a, NULL, (void *)m.b, text, n(4096),  \
      (void *)m.c)), R(a, 0, 8), FOUND)                                                                \
    X(getservbyport, SET(b, "no-such"), KEEP(getservbyport(1, m.b)), R(b, 0, 8))                       \
    X(getservbyport_r, SET(a, "no-such"), KEEP(getservbyport_r(1, m.a, (void *)m.b, text, n(4096), (void *)m.c)), \
      R(a, 0, 8), FOUND)                                                                               \
    X(getprotobyname, SET(a, "no-such"), KEEP(getprotobyname(m.a)), R(a, 0, 8))                        \
    X(getprotobyname_r, SET(a, "no-such"), KEEP(getprotobyname_r(m.a, (void *)m.b, text, n(4096), (void *)m.c)), \
      R(a, 0, 8), FOUND)                                                                               \
    X(getprotobynumber, , KEEP(getprotobynumber(9999)), NOTHING)                                       \
    X(getprotobynumber_r, , KEEP(getprotobynumber_r(9999, (void *)m.b, text, n(4096), (void *)m.c)), FOUND) \
    X(getaddrinfo, NUMBER; numeric(), KEEP(getaddrinfo(m.a, NULL, (void *)m.b, (void *)m.c)),          \
      NUMBER_R, R(b, 0, sizeof(struct addrinfo)), FOUND)                                               \
    X(getnameinfo, *(struct sockaddr_in *)m.a = an_address(), KEEP(getnameinfo((void *)m.a, 16, m.b, n(50), \
      m.c, n(50), NI_NUMERICHOST | NI_NUMERICSERV)), R(a, 0, 16), W(b, 0, 8), W(c, 0, 3))              \
    X(getnetbyname, SET(a, "no-such"), KEEP(getnetbyname(m.a)), R(a, 0, 8))                             \
    X(getnetbyname_r, SET(a, "no-such"),                                                                \
      KEEP(getnetbyname_r(m.a, (void *)m.b, text, n(4096), (void *)m.c, (int *)m.n)), R(a, 0, 8), FOUND, W(n, 0, 4)) \
    X(getnetbyaddr, , KEEP(getnetbyaddr(1, AF_UNSPEC)), NOTHING)                                       \
    X(getnetbyaddr_r, , KEEP(getnetbyaddr_r(1, AF_UNSPEC, (void *)m.b, text, n(4096), (void *)m.c, (int *)m.n)), \
      FOUND, W(n, 0, 4))                                                                               \
    X(gethostent_r, sethostent(0), KEEP(gethostent_r((void *)text, text + 256, n(3000), (void *)m.c, &why)), FOUND) \
    X(getnetent_r, setnetent(0), KEEP(getnetent_r((void *)text, text + 256, n(3000), (void *)m.c, &why)), FOUND) \
    X(getservent_r, setservent(0), KEEP(getservent_r((void *)text, text + 256, n(3000), (void *)m.c)), FOUND) \
    X(getprotoent_r, setprotoent(0), KEEP(getprotoent_r((void *)text, text + 256, n(3000), (void *)m.c)), FOUND) \
    X(getifaddrs, , KEEP(getifaddrs((void *)m.a)), W(a, 0, 8))                                         \
    X(if_nametoindex, SET(a, "none"), KEEP(if_nametoindex(m.a)), R(a, 0, 5))                           \
    X(if_indextoname, , KEEP(if_indextoname(1, text)), NOTHING)

RUN_CASES()
