/* Order by file descriptors: whoever reads from a pipe comes after whoever wrote to it.
 *
 * What orders is a *channel*, and each way that data can go has one of its own: a pipe has one, a
 * pair of sockets one for each direction, an eventfd one. A descriptor is looked up when it is
 * used, by what the kernel says is behind it, so that it does not matter how the program got it:
 * dup, fcntl, inheritance, a message. Regular files and devices have no channel, unless io_sync=2
 * asks for files to have one each.
 *
 *   pipes, FIFOs              by inode: both ends have the same
 *   pairs of sockets          by inode, each knowing the other's
 *   connected internet stream by its two ports
 *   internet datagrams        by the port they go to
 *   Unix sockets with a name  by that name: connections to one cannot be told apart
 *   eventfd, timerfd, epoll,  by a number that is given where they are made, and goes with dup: all
 *   and others without inode  of these have the same inode
 */
#ifndef DEADHEAT_RT_INTERCEPT_FD_H
#define DEADHEAT_RT_INTERCEPT_FD_H

#include "rt/base.h"

struct sockaddr;

/* Before something goes into the descriptor, and after something has come out of it. */
void dh_fd_release(int fd);
void dh_fd_acquire(int fd);

/* The same by the address that a datagram or a connection goes to, or at which one arrives. */
enum dh_port { DH_DATAGRAM, DH_CONNECTION };
void dh_address_release(enum dh_port port, struct sockaddr const *address, unsigned length);
/* What was sent to the address that the socket has. */
void dh_address_acquire(enum dh_port port, int fd);

/* The same for signals that are waited for. */
void dh_signal_sent(int signal);
void dh_signal_received(int signal);

/* The same for System V semaphores and queues, by their ids, and for message queues. */
enum dh_ipc { DH_SEMAPHORE, DH_QUEUE };
void dh_ipc_release(enum dh_ipc kind, int id, int number);
void dh_ipc_acquire(enum dh_ipc kind, int id, int number);
void dh_mq_release(int queue);
void dh_mq_acquire(int queue);

/* The descriptor is new; for what has no inode of its own this begins a new description. */
void dh_fd_made(int fd);
void dh_fd_pair(int a, int b);                 /* two sockets that talk to each other */
void dh_fd_dup(int from, int to);              /* both are one description now */
void dh_fd_signals(int fd, uint64_t signals);  /* it tells of these signals */
void dh_fd_connects(int fd);                   /* from now on its peer is another */
void dh_fd_closes(unsigned from, unsigned to); /* all of these */

/* The number of a description that has no inode: the same for all its descriptors. */
uint64_t dh_fd_number(int fd);

#endif
