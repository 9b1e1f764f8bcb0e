/* Order by file descriptors: whoever reads from a pipe comes after whoever wrote to it.
 *
 * What orders is a *channel* (channels.h), and each way that data can go has one of its own: a pipe
 * has one, a pair of sockets one for each direction, an eventfd one. A descriptor is looked up when
 * it is used, by what the kernel says is behind it, so that it does not matter how the program got
 * it: dup, fcntl, inheritance, a message. Regular files and devices have no channel, unless
 * io_sync=2 asks for files to have one each.
 *
 *   pipes, FIFOs              by inode: both ends have the same
 *   Unix sockets, connected   by the inode of who sends; the kernel says who is at the other end
 *     not accepted yet        by the name that it was connected to, as well: who accepts may find
 *                             that the other end is gone
 *   connected internet stream by its two addresses
 *   internet datagrams        by the address they go to, and by its port, for who takes all
 *   Unix datagrams            by the name they go to
 *   eventfd, timerfd, epoll,  by a number that is given where they are made, and goes with dup: all
 *   and others without inode  of these have the same inode
 */
#ifndef DEADHEAT_RT_INTERCEPT_FD_H
#define DEADHEAT_RT_INTERCEPT_FD_H

#include "rt/base.h"

struct dh_channel;
struct iovec;
struct sockaddr;

/* Before something goes into the descriptor, and after something has come out of it. */
void dh_fd_release(int fd);
void dh_fd_acquire(int fd);
/* Likewise, `size` bytes having been read into these buffers: a signalfd says there what it tells
 * of. */
void dh_fd_acquire_read(int fd, struct iovec const *v, long count, size_t size);

/* What a call that sends will take of its buffers, as far as that can be known before:
 * - everything that it is given. The buffers are checked before the release that goes with it, and
 *   how much of them it was, should it be cut short, is known too late;
 * - what it says afterwards, because nothing is released and nobody can be ahead of us;
 * - nothing: it will be refused. */
enum dh_taking { DH_TAKES_ALL, DH_TAKES_UNSEEN, DH_TAKES_NOTHING };
struct dh_sending {
    struct dh_channel *out, *also;
    enum dh_taking taking;
};
/* `waits`: the call itself asks not to wait if this is false (MSG_DONTWAIT). */
struct dh_sending dh_fd_sending(int fd, bool waits);
void dh_sending_release(struct dh_sending sending);

/* A datagram goes to this address. */
void dh_address_release(struct sockaddr const *address, unsigned length);

/* A connection: before it is asked for, when the kernel has begun it, and where it arrives. */
void dh_fd_connects(int fd, struct sockaddr const *address, unsigned length);
void dh_fd_connected(int fd, struct sockaddr const *address, unsigned length);
void dh_fd_accepted(int fd);

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
void dh_fd_closes(unsigned from, unsigned to); /* all of these */

/* The number of a description that has no inode: the same for all its descriptors. */
uint64_t dh_fd_number(int fd);
/* The descriptor is in use, for sweeps (channels.h). */
void dh_fd_used_locked(int fd);

#endif
