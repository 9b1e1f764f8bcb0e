/* Everything at once: world SECONDS ROUNDS SEED RACY LIBRARY
 *
 * Rounds of threads that draw activities at random, until the time or the rounds are over. If RACY is 1, each round
 * also has exactly one race: two threads, made together, whose first act is to access four bytes that nothing else
 * orders. Prints
 *
 *     rounds N planted N early RESIDENT late RESIDENT descriptors BEFORE AFTER
 *
 * A timer sends signals all the time, to whichever thread.
 *
 * RESIDENT is the most memory, in kB, that the process had in the second and in the last quarter of the
 * samples: a process that leaks something has more late than early. */
#include "soak.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static soak_activity *const activities[] = {
    soak_mutex,    soak_mutex,   soak_rwlock,  soak_rwlock, soak_spin,   soak_semaphore,
    soak_atomics,  soak_pipe,    soak_waiting, soak_blocks, soak_blocks, soak_handover,
    soak_handover, soak_mapping, soak_keys,    soak_signal, soak_signal, soak_library,
    soak_library,  soak_threads, soak_threads,
};

void soak_anything(struct dice *dice) {
    uint64_t rare = soak_roll(dice, 200);
    if (rare == 0)
        soak_fork(dice);
    else if (rare == 1)
        soak_spawn(dice);
    else
        activities[soak_roll(dice, sizeof activities / sizeof *activities)](dice);
}

static void *live(void *argument) {
    struct dice dice = {.state = (uintptr_t)argument};
    for (uint64_t n = 10 + soak_roll(&dice, 30); n; n--)
        soak_anything(&dice);
    return NULL;
}

/* ---- a race ---- */

enum act { WRITE, READ, ATOMIC_WRITE };

static int *planted;

static void *racer(void *argument) {
    switch ((enum act)(uintptr_t)argument) {
    case WRITE: *planted = 1; break;
    case READ: __asm__ volatile("" : : "r"(*planted)); break;
    case ATOMIC_WRITE:
        atomic_store_explicit((_Atomic int *)planted, 2, memory_order_relaxed);
        break;
    }
    return NULL;
}

/* The first of the two is not over for the second, which is made before anything is waited for. */
static void plant(struct dice *dice) {
    static enum act const pairs[][2] = {{WRITE, WRITE},        {WRITE, READ},
                                        {READ, WRITE},         {WRITE, ATOMIC_WRITE},
                                        {ATOMIC_WRITE, WRITE}, {READ, ATOMIC_WRITE}};
    static int global;
    size_t large = 1 << 20;
    enum act const *pair = pairs[soak_roll(dice, sizeof pairs / sizeof *pairs)];
    uint64_t place = soak_roll(dice, 3);
    char *piece = NULL;
    switch (place) {
    case 0: planted = &global; break;
    case 1: planted = malloc(sizeof *planted); break;
    default:
        piece = mmap(NULL, large, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        soak_check(piece != MAP_FAILED, "mmap");
        planted = (int *)piece + soak_roll(dice, large / sizeof *planted);
    }
    *planted = 0;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        soak_check(pthread_create(&threads[i], NULL, racer, (void *)(uintptr_t)pair[i]) == 0,
                   "a racer");
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    if (place == 1) free(planted);
    if (piece) munmap(piece, large);
}

/* ---- rounds ---- */

static void round_of(struct dice *dice) {
    enum { MOST = 6 };
    pthread_t threads[MOST];
    int count = 2 + (int)soak_roll(dice, MOST - 1);
    for (int i = 0; i < count; i++)
        soak_check(
            pthread_create(&threads[i], NULL, live, (void *)(uintptr_t)soak_roll(dice, 1u << 30))
                == 0,
            "a thread");
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

static long resident(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    soak_check(file && fscanf(file, "%*s %ld", &pages) == 1, "/proc/self/statm");
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static int descriptors(void) {
    int count = 0;
    DIR *directory = opendir("/proc/self/fd");
    soak_check(directory != NULL, "/proc/self/fd");
    while (readdir(directory))
        count++;
    closedir(directory);
    return count;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
    enum { SAMPLES = 1 << 16 };
    static long samples[SAMPLES];
    if (argc != 6) {
        fprintf(stderr, "usage: %s SECONDS ROUNDS SEED RACY LIBRARY\n", argv[0]);
        return 2;
    }
    double end = now() + atof(argv[1]);
    long most = atol(argv[2]), rounds = 0, planted_count = 0;
    struct dice dice = {.state = strtoull(argv[3], NULL, 10)};
    int racy = atoi(argv[4]), before;
    soak_orders_begin();
    soak_processes_begin(argv[5]);
    before = descriptors();
    while (rounds < most && rounds < SAMPLES && now() < end) {
        round_of(&dice);
        if (racy) {
            plant(&dice);
            planted_count++;
        }
        samples[rounds++] = resident();
    }
    soak_processes_end();
    long early = 0, late = 0;
    for (long i = rounds / 4; i < rounds / 2; i++)
        if (samples[i] > early) early = samples[i];
    for (long i = rounds - rounds / 4; i < rounds; i++)
        if (samples[i] > late) late = samples[i];
    printf("rounds %ld planted %ld early %ld late %ld descriptors %d %d\n", rounds, planted_count,
           early, late, before, descriptors());
    return 0;
}
