/* Activities that order threads: each guards something with another kind of lock, or hands it over. */
#define _GNU_SOURCE
#include "soak.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum { ALL = 8 };

static struct guarded {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    long first, second; /* equal, whenever the mutex is free */
    long waiting;
} guarded[ALL];

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static long table[64]; /* all equal */
static pthread_spinlock_t spin;
static long spun;
static sem_t semaphore;
static long counted;
static _Atomic(long *) message;
static int pipe_ends[2];

void soak_orders_begin(void) {
    for (int i = 0; i < ALL; i++) {
        pthread_mutex_init(&guarded[i].mutex, NULL);
        pthread_cond_init(&guarded[i].condition, NULL);
    }
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    sem_init(&semaphore, 0, 1);
    soak_check(pipe2(pipe_ends, O_NONBLOCK | O_CLOEXEC) == 0, "pipe");
}

void soak_mutex(struct dice *dice) {
    struct guarded *g = &guarded[soak_roll(dice, ALL)];
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    switch (soak_roll(dice, 3)) {
    case 0:
        if (pthread_mutex_trylock(&g->mutex) != 0) return;
        break;
    case 1:
        if (pthread_mutex_timedlock(&g->mutex, &soon) != 0) return;
        break;
    default: pthread_mutex_lock(&g->mutex);
    }
    soak_check(g->first == g->second, "what a mutex guards");
    g->first++, g->second++;
    if (g->waiting) pthread_cond_signal(&g->condition);
    pthread_mutex_unlock(&g->mutex);
}

/* Waits for a change, for a very short time. */
void soak_waiting(struct dice *dice) {
    struct guarded *g = &guarded[soak_roll(dice, ALL)];
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += 1000000;
    if (soon.tv_nsec >= 1000000000) soon.tv_nsec -= 1000000000, soon.tv_sec++;
    pthread_mutex_lock(&g->mutex);
    long before = g->first;
    g->waiting++;
    while (g->first == before && pthread_cond_timedwait(&g->condition, &g->mutex, &soon) == 0) {}
    g->waiting--;
    soak_check(g->first == g->second, "what a condition waits for");
    pthread_mutex_unlock(&g->mutex);
}

void soak_rwlock(struct dice *dice) {
    enum { COUNT = sizeof table / sizeof *table };
    if (soak_roll(dice, 4) == 0) {
        pthread_rwlock_wrlock(&rwlock);
        for (int i = 0; i < COUNT; i++)
            table[i]++;
    } else {
        pthread_rwlock_rdlock(&rwlock);
        int at = (int)soak_roll(dice, COUNT);
        soak_check(table[at] == table[COUNT - 1 - at], "what a reader-writer lock guards");
    }
    pthread_rwlock_unlock(&rwlock);
}

void soak_spin(struct dice *dice) {
    pthread_spin_lock(&spin);
    spun += (long)soak_roll(dice, 10);
    pthread_spin_unlock(&spin);
}

void soak_semaphore(struct dice *dice) {
    while (sem_wait(&semaphore) != 0)
        soak_check(errno == EINTR, "sem_wait");
    counted += (long)soak_roll(dice, 10);
    sem_post(&semaphore);
}

/* Who takes the message has it alone. */
void soak_atomics(struct dice *dice) {
    enum { COUNT = 20 };
    long *mine = calloc(COUNT, sizeof *mine);
    for (int i = 0; i < COUNT; i++)
        mine[i] = i;
    long *other = atomic_exchange_explicit(&message, mine, memory_order_acq_rel);
    for (int i = 0; other && i < COUNT; i++)
        soak_check(other[i] == i, "a message");
    free(other);
    if (soak_roll(dice, 2)) free(atomic_exchange(&message, NULL));
}

void soak_pipe(struct dice *dice) {
    long *letter = malloc(sizeof *letter);
    *letter = (long)soak_roll(dice, 1000);
    if (write(pipe_ends[1], &letter, sizeof letter) != sizeof letter) free(letter);
    if (read(pipe_ends[0], &letter, sizeof letter) == sizeof letter) {
        soak_check(*letter >= 0 && *letter < 1000, "a letter through a pipe");
        *letter = -1;
        free(letter);
    }
}
