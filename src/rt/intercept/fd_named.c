/* Channels that are known by something else than a descriptor: by the address of a datagram, by a
 * signal, by the id of a System V object, by a message queue. */
#include "rt/intercept/channels.h"
#include "rt/intercept/fd.h"
#include "rt/intercept/intercept.h"
#include "rt/intercept/places.h"

static bool off(void) { return dh_alone_now || dh_channels_off(); }

static void release_at(enum dh_channel_kind kind, uint64_t a, uint64_t b) {
    dh_release_join(dh_channel_at((struct dh_channel_key){kind, a, b}));
}

static void acquire_at(enum dh_channel_kind kind, uint64_t a, uint64_t b) {
    dh_acquire(dh_channel_at((struct dh_channel_key){kind, a, b}));
}

void dh_address_release(struct sockaddr const *address, unsigned length) {
    if (off()) return;
    uint64_t place = dh_place_of(address, length), port = dh_place_port(address, length);
    if (place) release_at(DH_BY_DATAGRAM, place, 0);
    if (port) release_at(DH_BY_DATAGRAM, port, 0);
}

void dh_signal_sent(int signal) {
    if (!off()) release_at(DH_BY_SIGNAL, (uint64_t)signal, 0);
}

void dh_signal_received(int signal) {
    if (!off()) acquire_at(DH_BY_SIGNAL, (uint64_t)signal, 0);
}

static enum dh_channel_kind kind_of(enum dh_ipc kind) {
    return kind == DH_SEMAPHORE ? DH_BY_SEMAPHORE : DH_BY_QUEUE;
}

void dh_ipc_release(enum dh_ipc kind, int id, int number) {
    if (!off()) release_at(kind_of(kind), (uint64_t)id, (uint64_t)number);
}

void dh_ipc_acquire(enum dh_ipc kind, int id, int number) {
    if (!off()) acquire_at(kind_of(kind), (uint64_t)id, (uint64_t)number);
}

/* The kernel says that it is a regular file, and has an inode for each. */
static struct dh_channel *mq_channel(int queue) {
    struct dh_identity is;
    if (off() || !dh_identify(queue, &is)) return 0;
    dh_channels_enter();
    dh_fd_used_locked(queue);
    struct dh_channel *c =
        dh_channel_get_locked((struct dh_channel_key){DH_BY_INODE, is.device, is.inode});
    dh_channels_leave();
    return c;
}

void dh_mq_release(int queue) {
    struct dh_channel *c = mq_channel(queue);
    if (c) dh_release_join(c);
}

void dh_mq_acquire(int queue) {
    struct dh_channel *c = mq_channel(queue);
    if (c) dh_acquire(c);
}
