/* Activities that make threads and processes, send signals, and load libraries. */
#define _GNU_SOURCE
#include "soak.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char const *library_path;

/* ---- signals ---- */

/* What a handler does orders nothing: the atomics are relaxed. */
static atomic_long handled;
static _Thread_local volatile long own_handled, own_places[16];

static void handle(int signal) {
    int saved = errno;
    atomic_fetch_add_explicit(&handled, 1, memory_order_relaxed);
    own_handled++;
    own_places[own_handled % 16] = signal;
    errno = saved;
}

void soak_processes_begin(char const *library) {
    library_path = library;
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
    struct itimerval often = {{0, 2000}, {0, 2000}};
    setitimer(ITIMER_REAL, &often, NULL);
}

void soak_processes_end(void) { setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL); }

void soak_signal(struct dice *dice) {
    long before = own_handled;
    for (uint64_t n = 1 + soak_roll(dice, 5); n; n--)
        pthread_kill(pthread_self(), SIGUSR1);
    soak_check(own_handled > before, "a signal to the thread itself");
}

/* ---- processes ---- */

static void wait_for(pid_t child) {
    int status;
    while (waitpid(child, &status, 0) < 0)
        soak_check(errno == EINTR, "waitpid");
    soak_check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the end of a child");
}

static void *in_child(void *argument) {
    struct dice dice = {.state = (uintptr_t)argument, .depth = 100};
    soak_blocks(&dice);
    soak_mapping(&dice);
    return NULL;
}

/* The child has one thread and whatever locks others held: it may only do what needs none of them. */
void soak_fork(struct dice *dice) {
    pid_t child = fork();
    if (child < 0) return; /* too many */
    if (child > 0) {
        wait_for(child);
        return;
    }
    pthread_t thread;
    soak_check(pthread_create(&thread, NULL, in_child, (void *)(uintptr_t)soak_roll(dice, 1000))
                   == 0,
               "a child's thread");
    in_child((void *)(uintptr_t)soak_roll(dice, 1000));
    pthread_join(thread, NULL);
    _exit(0);
}

void soak_spawn(struct dice *dice) {
    pid_t child;
    char *arguments[] = {"true", NULL};
    (void)dice;
    if (posix_spawnp(&child, "true", NULL, NULL, arguments, environ) == 0) wait_for(child);
}

/* ---- libraries ---- */

/* Whoever is first loads it, and whoever is last unloads it. */
void soak_library(struct dice *dice) {
    void *library = dlopen(library_path, RTLD_NOW | RTLD_LOCAL);
    soak_check(library != NULL, "dlopen");
    long (*function)(long) = (long (*)(long))dlsym(library, "library_work");
    soak_check(function != NULL, "dlsym");
    for (uint64_t n = soak_roll(dice, 50); n; n--) {
        long value = (long)soak_roll(dice, 1000);
        soak_check(function(value) == value, "a library's function");
    }
    soak_check(dlclose(library) == 0, "dlclose");
}

/* ---- threads ---- */

struct guest {
    struct dice dice;
    sem_t *gone; /* null: it is joined */
};

static void *visit(void *argument) {
    struct guest guest = *(struct guest *)argument;
    free(argument);
    for (uint64_t n = soak_roll(&guest.dice, 5); n; n--)
        soak_anything(&guest.dice);
    if (guest.gone) sem_post(guest.gone);
    return NULL;
}

void soak_threads(struct dice *dice) {
    enum { MOST = 4 };
    pthread_t threads[MOST];
    sem_t gone;
    int count = 0, detached = 0;
    if (dice->depth > 1) return;
    sem_init(&gone, 0, 0);
    for (uint64_t n = 1 + soak_roll(dice, MOST); n; n--) {
        struct guest *guest = malloc(sizeof *guest);
        int leaves = soak_roll(dice, 3) == 0;
        *guest =
            (struct guest){{soak_roll(dice, 1u << 30), dice->depth + 1}, leaves ? &gone : NULL};
        soak_check(pthread_create(&threads[count], NULL, visit, guest) == 0, "a thread");
        if (leaves) {
            pthread_detach(threads[count]);
            detached++;
        } else {
            count++;
        }
    }
    while (count > 0)
        pthread_join(threads[--count], NULL);
    while (detached > 0)
        if (sem_wait(&gone) == 0) detached--;
    sem_destroy(&gone);
}
