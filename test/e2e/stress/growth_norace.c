/* 20,000 threads one after the other, with a lock, a few accesses and a block each: of a thread that has ended a few
 * hundred bytes are kept, for reports, and the histories of the newest.
 * LEVELS: -O2
 * ENV: DEADHEAT_OPTIONS=history_size=0
 */
#include "test.h"

#include <stdatomic.h>
#include <unistd.h>

enum { WARM = 2000, THREADS = 20000, MOST_KB = (THREADS - WARM) * 3 / 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long guarded[100];
static atomic_long counted;

static void *work(void *argument) {
    long *own = malloc(sizeof *own * 50);
    for (int i = 0; i < 50; i++)
        own[i] = i;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 100; i++)
        guarded[i] += own[i % 50];
    pthread_mutex_unlock(&lock);
    atomic_load_explicit(&counted, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_fetch_add_explicit(&counted, 1, memory_order_relaxed);
    free(own);
    return argument;
}

static long resident_kb(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    CHECK(file && fscanf(file, "%*s %ld", &pages) == 1);
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(void) {
    long before = 0;
    for (int i = 0; i < THREADS; i++) {
        if (i == WARM) before = resident_kb();
        join(spawn(work, NULL));
    }
    CHECK(guarded[99] == 49l * THREADS);
    long more = resident_kb() - before;
    if (more > MOST_KB) fprintf(stderr, "%ld kB for %d threads\n", more, THREADS - WARM);
    CHECK(more <= MOST_KB);
    return 0;
}
