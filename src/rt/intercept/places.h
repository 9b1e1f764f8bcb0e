/* Where sockets are, and what is behind a descriptor, as the kernel says. Nothing is kept here.
 *
 * A place is a number made of an address, or of the name of a Unix socket; 0 is none. The same
 * place has the same number whichever way it is written: an IPv4 address in the clothes of IPv6,
 * and the address of no host in particular, which to who connects is the host itself. */
#ifndef DEADHEAT_RT_INTERCEPT_PLACES_H
#define DEADHEAT_RT_INTERCEPT_PLACES_H

#include "rt/base.h"

struct sockaddr;

struct dh_identity {
    uint32_t mode;
    uint64_t device, inode;
};

/* What is behind the descriptor, as the kernel knows it by itself: a file server that does not
 * answer must not hold us up. */
bool dh_identify(int fd, struct dh_identity *is);

/* Calls f for each descriptor between these two that is open. False: the kernel does not tell. */
bool dh_each_open(unsigned from, unsigned to, void (*f)(int fd));

uint64_t dh_place_of(struct sockaddr const *address, unsigned length);
/* The port of that place, at whatever address; 0 if it has none. */
uint64_t dh_place_port(struct sockaddr const *address, unsigned length);

uint64_t dh_place_own(int socket);
uint64_t dh_place_peer(int socket);
/* Where its datagrams arrive: its own place, or the port if it takes those for all addresses. */
uint64_t dh_place_datagrams(int socket);

bool dh_socket_is_connected(int socket);
bool dh_socket_is_datagram(int socket);
bool dh_socket_is_unix(int socket);
/* The inode of the socket that this one is connected to; 0: not known, because it has not been
 * accepted yet, is gone, or the kernel does not tell. */
uint64_t dh_unix_peer(uint64_t inode);

#endif
