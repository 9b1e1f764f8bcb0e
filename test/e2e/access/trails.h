/* Trails: text that is read on and on, by accesses that overlap or touch (rt/trails.h). Their checks are put off, and
 * what was read so is known: that must be over when the epoch is, and when memory is other memory. */
#ifndef DEADHEAT_TEST_TRAILS_H
#define DEADHEAT_TEST_TRAILS_H

#include "annotate/annotations.h"

#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>

/* A trail is committed within any SIZE bytes, and not yet after SHORT of them. */
enum { SIZE = 8192, SHORT = 100, RACED = 1001, RACED_SHORT = 51 };
sem_t there, back;
long volatile kept;

struct __attribute__((packed)) odd {
    uint64_t value;
};

/* At each byte: how far it goes is found there, so that no check can be made for all of it. A place in the source for
 * each case. Text is all zeros, or ones where others wrote. */
#define CRAWL(name)                                                             \
    __attribute__((noinline)) static void name(char const *text, size_t size) { \
        uint64_t sum = 0;                                                       \
        for (size_t i = 0; i + sizeof(struct odd) <= size;) {                   \
            uint64_t word = ((struct odd const *)(text + i))->value;            \
            sum += word;                                                        \
            i += 1 + (size_t)(word >> 63);                                      \
        }                                                                       \
        kept = (long)sum;                                                       \
    }

static inline void prepare(void) {
    sem_init(&there, 0, 0);
    sem_init(&back, 0, 0);
}

static inline char *map(char *at, int flags) {
    void *p = mmap(at, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    CHECK(p != MAP_FAILED);
    return p;
}

#endif
