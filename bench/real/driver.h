/* What the drivers of real programs share: THREADS SIZE DIRECTORY, threads, and giving up. */
#ifndef DEADHEAT_BENCH_DRIVER_H
#define DEADHEAT_BENCH_DRIVER_H

#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DRIVER_THREADS = 64 }; /* at most */

static int driver_threads;
static long driver_size;
static char const *driver_directory;

__attribute__((format(printf, 1, 2), noreturn)) static inline void driver_fail(char const *format,
                                                                               ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(2);
}

static inline void driver_arguments(int argc, char **argv) {
    if (argc < 4) driver_fail("usage: %s THREADS SIZE DIRECTORY", argv[0]);
    driver_threads = atoi(argv[1]);
    driver_size = atol(argv[2]);
    driver_directory = argv[3];
    if (driver_threads < 1 || driver_threads > DRIVER_THREADS || driver_size < 1)
        driver_fail("from 1 to %d threads, and a positive size", DRIVER_THREADS);
}

static inline void driver_remove(char const *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", driver_directory, name);
    unlink(path);
}

/* Runs work(0) ... work(driver_threads - 1), each in a thread of its own, and waits for all. */
static inline void driver_run(void *(*work)(void *)) {
    pthread_t all[DRIVER_THREADS];
    for (int t = 0; t < driver_threads; t++)
        if (pthread_create(&all[t], NULL, work, (void *)(intptr_t)t) != 0)
            driver_fail("no thread %d", t);
    for (int t = 0; t < driver_threads; t++)
        pthread_join(all[t], NULL);
}

#endif
