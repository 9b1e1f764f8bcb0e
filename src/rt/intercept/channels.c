#include "rt/intercept/channels.h"
#include "rt/critical.h"
#include "rt/sync.h"

enum { BUCKETS = 1 << 12, FIRST_SWEEP = 4096 };

static struct {
    struct dh_mutex lock;
    struct dh_channel *buckets[BUCKETS];
    struct dh_channel *unused;
    uint32_t count, sweep_at;
} table = {.sweep_at = FIRST_SWEEP};

void dh_channels_enter(void) {
    dh_critical_enter();
    dh_mutex_lock(&table.lock);
}

void dh_channels_leave(void) {
    dh_mutex_unlock(&table.lock);
    dh_critical_leave();
}

/* ---- sweeping: channels of descriptions that are gone ---- */

static void found_locked(struct dh_channel *c) {
    c->sweeps = 0;
    if (c->in) c->in->sweeps = 0;
    if (c->out) c->out->sweeps = 0;
    if (c->also) c->also->sweeps = 0;
}

/* Not those that are known by an address: somebody may be about to connect there, and there are no
 * more of them than there are addresses. The others may be needed by who is just about to accept
 * what was sent and closed: so they survive one sweep. */
static bool is_over(struct dh_channel *c) {
    enum dh_channel_kind kind = c->key.kind;
    return (kind == DH_BY_INODE || kind == DH_BY_NUMBER || kind == DH_BY_STREAM) && c->sweeps++ > 0;
}

/* Of a pair one may go before the other. */
static void unlink_locked(void) {
    for (int i = 0; i < BUCKETS; i++)
        for (struct dh_channel *c = table.buckets[i]; c; c = c->next) {
            if (c->in && c->in->sweeps > 1) c->in = 0;
            if (c->out && c->out->sweeps > 1) c->out = 0;
            if (c->also && c->also->sweeps > 1) c->also = 0;
        }
}

static void sweep_locked(void) {
    dh_fd_each_locked(found_locked);
    struct dh_channel *over = 0;
    for (int i = 0; i < BUCKETS; i++)
        for (struct dh_channel **link = &table.buckets[i]; *link;) {
            struct dh_channel *c = *link;
            if (!is_over(c)) {
                link = &c->next;
                continue;
            }
            *link = c->next;
            c->next = over;
            over = c;
            table.count--;
        }
    unlink_locked();
    while (over) {
        struct dh_channel *c = over;
        over = c->next;
        dh_sync_gone(c);
        c->next = table.unused;
        table.unused = c;
    }
    table.sweep_at = table.count < FIRST_SWEEP / 2 ? FIRST_SWEEP : 2 * table.count;
}

/* ---- the table ---- */

static struct dh_channel **bucket_of(struct dh_channel_key key) {
    uint64_t hash = (key.a * 0x9e3779b97f4a7c15u ^ key.b) * 0xff51afd7ed558ccdu + key.kind;
    return &table.buckets[(hash ^ hash >> 32) % BUCKETS];
}

struct dh_channel *dh_channel_find_locked(struct dh_channel_key key) {
    struct dh_channel *c = *bucket_of(key);
    while (c && (c->key.kind != key.kind || c->key.a != key.a || c->key.b != key.b))
        c = c->next;
    if (c) c->sweeps = 0;
    return c;
}

struct dh_channel *dh_channel_get_locked(struct dh_channel_key key) {
    struct dh_channel *c = dh_channel_find_locked(key);
    if (c) return c;
    if (table.count >= table.sweep_at) sweep_locked();
    c = table.unused;
    if (c)
        table.unused = c->next;
    else
        c = dh_alloc(sizeof *c);
    struct dh_channel **bucket = bucket_of(key);
    *c = (struct dh_channel){.key = key, .next = *bucket};
    *bucket = c;
    table.count++;
    return c;
}

struct dh_channel *dh_channel_at(struct dh_channel_key key) {
    dh_channels_enter();
    struct dh_channel *c = dh_channel_get_locked(key);
    dh_channels_leave();
    return c;
}
