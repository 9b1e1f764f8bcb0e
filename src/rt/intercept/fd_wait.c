/* Waiting for descriptors. One that is found ready to be read has been written to: who wrote comes
 * before who waited, even if nobody reads what was written (an eventfd whose edge is all that is
 * wanted).
 *
 * epoll says which descriptor is ready by the word that was given with it, so these are kept. What
 * epoll_ctl is told comes before every wait that returns something. */
#include "rt/intercept/fd.h"
#include "rt/intercept/intercept.h"
#include "rt/options.h"

#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>

/* ---- select, poll ---- */

static int polled(struct pollfd *list, nfds_t count, int ready, struct dh_here here) {
    if (ready < 0 || dh_alone_now) return ready;
    for (nfds_t i = 0; i < count; i++) {
        if (list[i].revents & ~POLLOUT) dh_fd_acquire(list[i].fd);
        if (dh_checking()) {
            dh_range_read(&list[i].fd, sizeof list[i].fd, here);
            dh_range_read(&list[i].events, sizeof list[i].events, here);
            dh_range_write(&list[i].revents, sizeof list[i].revents, here);
        }
    }
    return ready;
}

INTERCEPT(int, poll, (struct pollfd * list, nfds_t count, int timeout)) {
    return polled(list, count, REAL(poll)(list, count, timeout), DH_HERE);
}

INTERCEPT(int, ppoll,
          (struct pollfd * list, nfds_t count, struct timespec const *timeout,
           sigset_t const *signals)) {
    return polled(list, count, REAL(ppoll)(list, count, timeout, signals), DH_HERE);
}

INTERCEPT(int, __poll_chk, (struct pollfd * list, nfds_t count, int timeout, size_t room)) {
    return polled(list, count, REAL(__poll_chk)(list, count, timeout, room), DH_HERE);
}

INTERCEPT(int, __ppoll_chk,
          (struct pollfd * list, nfds_t count, struct timespec const *timeout,
           sigset_t const *signals, size_t room)) {
    return polled(list, count, REAL(__ppoll_chk)(list, count, timeout, signals, room), DH_HERE);
}

/* The words of a set that hold its first `count` bits. */
static void set_written(fd_set *set, int count, struct dh_here here) {
    if (set && dh_checking()) dh_range_write(set, (size_t)(count + 63) / 64 * 8, here);
}

static int selected(int count, fd_set *in, fd_set *out, fd_set *except, int ready,
                    struct dh_here here) {
    if (ready < 0 || dh_alone_now) return ready;
    for (int fd = 0; fd < count && ready > 0; fd++)
        if ((in && FD_ISSET(fd, in)) || (except && FD_ISSET(fd, except))) dh_fd_acquire(fd);
    set_written(in, count, here);
    set_written(out, count, here);
    set_written(except, count, here);
    return ready;
}

INTERCEPT(int, select,
          (int count, fd_set *in, fd_set *out, fd_set *except, struct timeval *timeout)) {
    return selected(count, in, out, except, REAL(select)(count, in, out, except, timeout), DH_HERE);
}

INTERCEPT(int, pselect,
          (int count, fd_set *in, fd_set *out, fd_set *except, struct timespec const *timeout,
           sigset_t const *signals)) {
    return selected(count, in, out, except, REAL(pselect)(count, in, out, except, timeout, signals),
                    DH_HERE);
}

/* ---- epoll: what is waited for ---- */

enum { BUCKETS = 1 << 12 };

struct watch {
    uint64_t epoll; /* the number of its description */
    uint64_t data;
    int fd;
    struct watch *next_of_fd, *next_of_data;
};

static struct {
    struct dh_mutex lock;
    struct watch *by_fd[BUCKETS], *by_data[BUCKETS];
} watches DH_TABLE;

static struct watch **bucket_of(struct watch **table, uint64_t epoll, uint64_t word) {
    uint64_t hash = (epoll * 0x9e3779b97f4a7c15u ^ word) * 0xff51afd7ed558ccdu;
    return &table[(hash ^ hash >> 32) % BUCKETS];
}

static struct watch *take_locked(uint64_t epoll, int fd) {
    struct watch **link = bucket_of(watches.by_fd, epoll, (uint64_t)fd);
    while (*link && ((*link)->epoll != epoll || (*link)->fd != fd))
        link = &(*link)->next_of_fd;
    struct watch *w = *link;
    if (!w) return 0;
    *link = w->next_of_fd;
    link = bucket_of(watches.by_data, epoll, w->data);
    while (*link != w)
        link = &(*link)->next_of_data;
    *link = w->next_of_data;
    return w;
}

static void put_locked(struct watch *w) {
    struct watch **by_fd = bucket_of(watches.by_fd, w->epoll, (uint64_t)w->fd);
    struct watch **by_data = bucket_of(watches.by_data, w->epoll, w->data);
    w->next_of_fd = *by_fd;
    *by_fd = w;
    w->next_of_data = *by_data;
    *by_data = w;
}

static void watch(int epoll, int operation, int fd, struct epoll_event const *event) {
    uint64_t number = dh_fd_number(epoll);
    dh_critical_enter();
    dh_mutex_lock(&watches.lock);
    struct watch *w = take_locked(number, fd);
    if (operation == EPOLL_CTL_DEL) {
        dh_free(w, w ? sizeof *w : 0);
    } else if (event) {
        if (!w) w = dh_alloc(sizeof *w);
        *w = (struct watch){.epoll = number, .data = event->data.u64, .fd = fd};
        put_locked(w);
    }
    dh_mutex_unlock(&watches.lock);
    dh_critical_leave();
}

/* The n-th descriptor with this word; -1: there are no more. */
static int watched(uint64_t epoll, uint64_t data, unsigned n) {
    int fd = -1;
    dh_critical_enter();
    dh_mutex_lock(&watches.lock);
    struct watch *w = *bucket_of(watches.by_data, epoll, data);
    for (; w && fd == -1; w = w->next_of_data)
        if (w->epoll == epoll && w->data == data && n-- == 0) fd = w->fd;
    dh_mutex_unlock(&watches.lock);
    dh_critical_leave();
    return fd;
}

INTERCEPT(int, epoll_ctl, (int epoll, int operation, int fd, struct epoll_event *event)) {
    if (!dh_options.enabled || dh_options.io_sync == 0)
        return REAL(epoll_ctl)(epoll, operation, fd, event);
    if (event && operation != EPOLL_CTL_DEL && dh_checking())
        dh_range_read(event, sizeof *event, DH_HERE);
    dh_fd_release(epoll);
    /* Before it can be waited for. What is refused was there before, with other data perhaps. */
    if (operation != EPOLL_CTL_DEL) watch(epoll, operation, fd, event);
    int failed = REAL(epoll_ctl)(epoll, operation, fd, event);
    if (!failed && operation == EPOLL_CTL_DEL) watch(epoll, operation, fd, event);
    return failed;
}

/* ---- and the waiting ---- */

static int waited(int epoll, struct epoll_event *events, int ready, struct dh_here here) {
    if (ready <= 0 || dh_alone_now) return ready;
    dh_fd_acquire(epoll);
    uint64_t number = dh_fd_number(epoll);
    for (int i = 0, fd; i < ready; i++)
        for (unsigned n = 0; events[i].events & ~(uint32_t)EPOLLOUT
                             && (fd = watched(number, events[i].data.u64, n)) != -1;
             n++)
            dh_fd_acquire(fd);
    if (dh_checking()) dh_range_write(events, (size_t)ready * sizeof *events, here);
    return ready;
}

INTERCEPT(int, epoll_wait, (int epoll, struct epoll_event *events, int room, int timeout)) {
    return waited(epoll, events, REAL(epoll_wait)(epoll, events, room, timeout), DH_HERE);
}

INTERCEPT(int, epoll_pwait,
          (int epoll, struct epoll_event *events, int room, int timeout, sigset_t const *signals)) {
    return waited(epoll, events, REAL(epoll_pwait)(epoll, events, room, timeout, signals), DH_HERE);
}

INTERCEPT(int, epoll_pwait2,
          (int epoll, struct epoll_event *events, int room, struct timespec const *timeout,
           sigset_t const *signals)) {
    return waited(epoll, events, REAL(epoll_pwait2)(epoll, events, room, timeout, signals),
                  DH_HERE);
}
