/* Cancelled while it waits in the kernel, a thread runs its cleanup handlers and the destructors of its keys, and
 * whoever joins it comes after them. */
// FLAGS: -D_GNU_SOURCE
#include "test.h"

#include <errno.h>
#include <mqueue.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static int ends[2];
static sem_t never;
static pthread_key_t key;
int cleaned, destroyed;

static void in_read(void) {
    char byte;
    read(ends[0], &byte, 1);
}
static void in_getc(void) {
    FILE *f = fdopen(dup(ends[0]), "r");
    getc(f);
}
static void in_poll(void) { poll(NULL, 0, -1); }
static void in_select(void) { select(0, NULL, NULL, NULL, NULL); }
static void in_epoll(void) {
    struct epoll_event event;
    epoll_wait(epoll_create1(0), &event, 1, -1);
}
static void in_semaphore(void) { sem_wait(&never); }
static void in_sleep(void) { nanosleep(&(struct timespec){1000, 0}, NULL); }
static void in_sigwait(void) {
    sigset_t set;
    int signal;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigwait(&set, &signal);
}
static void (*const waits[])(void) = {in_read,      in_getc,  in_poll,   in_select,
                                      in_epoll,     in_semaphore, in_sleep, in_sigwait};
enum { WAITS = sizeof waits / sizeof *waits };

static void clean(void *unused) {
    (void)unused;
    cleaned++;
}
static void destroy(void *value) {
    (void)value;
    destroyed++;
}

static void *run(void *number) {
    CHECK(pthread_setspecific(key, &key) == 0);
    pthread_cleanup_push(clean, NULL);
    waits[(long)number]();
    CHECK(!"woke up");
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void) {
    CHECK(pipe(ends) == 0 && sem_init(&never, 0, 0) == 0 && pthread_key_create(&key, destroy) == 0);
    for (long i = 0; i < WAITS; i++) {
        void *result;
        pthread_t thread = spawn(run, (void *)i);
        usleep(20000);
        CHECK(pthread_cancel(thread) == 0 && pthread_join(thread, &result) == 0);
        CHECK(result == PTHREAD_CANCELED && cleaned == i + 1 && destroyed == i + 1);
    }
    return 0;
}
