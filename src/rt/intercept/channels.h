/* Channels: what orders is their clock, known by their address (rt/sync.h). One table has them all,
 * by a kind and two numbers.
 *
 * A channel may stand for a socket, too, and then says where that sends to and receives from. It is
 * never used for anything else than a channel, so that one who still has a pointer to it does no
 * harm; those that belong to descriptions that are gone are swept away (channels.c).
 */
#ifndef DEADHEAT_RT_INTERCEPT_CHANNELS_H
#define DEADHEAT_RT_INTERCEPT_CHANNELS_H

#include "rt/base.h"
#include "rt/options.h"

/* What the two numbers of a key mean. */
enum dh_channel_kind {
    DH_BY_INODE,      /* device, inode */
    DH_BY_NUMBER,     /* of a description */
    DH_BY_STREAM,     /* the places where it comes from and goes to (places.h) */
    DH_BY_DATAGRAM,   /* the place that datagrams go to */
    DH_BY_CONNECTION, /* the place that is connected to */
    DH_BY_SIGNAL,
    DH_BY_SEMAPHORE, /* System V's: id, number in the set */
    DH_BY_QUEUE,     /* likewise: id */
};

struct dh_channel_key {
    enum dh_channel_kind kind;
    uint64_t a, b;
};

struct dh_channel {
    struct dh_channel_key key;
    struct dh_channel *in, *out; /* null: none, or not known yet */
    struct dh_channel *also;     /* a second way out */
    struct dh_channel *next;
    uint64_t signals; /* that a signalfd tells of */
    uint32_t sweeps;  /* that have not found it in use */
    bool connected;   /* who connected has released to it; nobody has accepted yet */
};

/* Do descriptors order nothing? */
static inline bool dh_channels_off(void) { return !dh_options.enabled || dh_options.io_sync == 0; }

/* The table is used, and channels are changed, between these two. */
void dh_channels_enter(void);
void dh_channels_leave(void);
struct dh_channel *dh_channel_find_locked(struct dh_channel_key key); /* null: there is none */
struct dh_channel *dh_channel_get_locked(struct dh_channel_key key);
/* The same, by itself. */
struct dh_channel *dh_channel_at(struct dh_channel_key key);

/* The channels that descriptors have now: `found` is called for each. (fd.c) */
void dh_fd_each_locked(void (*found)(struct dh_channel *c));

#endif
