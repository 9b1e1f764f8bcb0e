/* One operation of libc, over and over, in a process that has a second thread: operations NAME COUNT
 * Prints the nanoseconds of processor time that one took, the least of several batches. The second
 * thread sleeps throughout, so nothing is contended; ping is the exception, in which two threads wake
 * each other. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BATCHES = 5, BLOCKS = 64 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t locks[BLOCKS];
static void *volatile blocks[BLOCKS];
static long counter, turn, rounds;

static void lock(long count) {
    for (long i = 0; i < count; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
}

/* With something to protect: each pair begins an epoch. */
static void lock_write(long count) {
    for (long i = 0; i < count; i++) {
        pthread_mutex_lock(&mutex);
        counter++;
        pthread_mutex_unlock(&mutex);
    }
}

static void locks_in_turn(long count) {
    for (long i = 0; i < count; i++) {
        pthread_mutex_lock(&locks[i % BLOCKS]);
        pthread_mutex_unlock(&locks[i % BLOCKS]);
    }
}

static void read_lock(long count) {
    for (long i = 0; i < count; i++) {
        pthread_rwlock_rdlock(&rwlock);
        pthread_rwlock_unlock(&rwlock);
    }
}

static void write_lock(long count) {
    for (long i = 0; i < count; i++) {
        pthread_rwlock_wrlock(&rwlock);
        pthread_rwlock_unlock(&rwlock);
    }
}

static void spin_lock(long count) {
    for (long i = 0; i < count; i++) {
        pthread_spin_lock(&spin);
        pthread_spin_unlock(&spin);
    }
}

static void post_wait(long count) {
    for (long i = 0; i < count; i++) {
        sem_post(&semaphore);
        sem_wait(&semaphore);
    }
}

static void signal_none(long count) {
    for (long i = 0; i < count; i++)
        pthread_cond_signal(&condition);
}

static void take_turns(long mine) {
    pthread_mutex_lock(&mutex);
    for (long i = 0; i < rounds; i++) {
        while (turn != mine)
            pthread_cond_wait(&condition, &mutex);
        turn = !mine;
        pthread_cond_signal(&condition);
    }
    pthread_mutex_unlock(&mutex);
}

static void *other_turns(void *unused) {
    take_turns(1);
    return unused;
}

static void ping(long count) {
    pthread_t other;
    rounds = count;
    turn = 0;
    if (pthread_create(&other, NULL, other_turns, NULL) != 0) abort();
    take_turns(0);
    pthread_join(other, NULL);
}

static void allocate(long count) {
    for (long i = 0; i < count; i++) {
        blocks[i % BLOCKS] = malloc(48);
        free(blocks[i % BLOCKS]);
    }
}

/* Freed in another order than they were made. */
static void allocate_many(long count) {
    for (long i = 0; i < count; i++) {
        long at = i * 29 % BLOCKS;
        free(blocks[at]);
        blocks[at] = malloc(16 + (size_t)(i * 7 % 16) * 16);
    }
}

static void *nothing(void *unused) { return unused; }

static void create_join(long count) {
    for (long i = 0; i < count; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, nothing, NULL) != 0) abort();
        pthread_join(thread, NULL);
    }
}

static void *a_little(void *unused) {
    lock_write(10);
    return unused;
}

static void create_work(long count) {
    for (long i = 0; i < count; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, a_little, NULL) != 0) abort();
        pthread_join(thread, NULL);
    }
}

static struct {
    char const *name;
    void (*work)(long count);
} const operations[] = {
    {"lock", lock},
    {"lock_write", lock_write},
    {"locks_in_turn", locks_in_turn},
    {"read_lock", read_lock},
    {"write_lock", write_lock},
    {"spin_lock", spin_lock},
    {"post_wait", post_wait},
    {"signal", signal_none},
    {"ping", ping},
    {"malloc_free", allocate},
    {"malloc_many", allocate_many},
    {"create_join", create_join},
    {"create_work", create_work},
};

static int pipe_ends[2];

static void *sleeper(void *unused) {
    char byte;
    (void)!read(pipe_ends[0], &byte, 1);
    return unused;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv) {
    size_t which = 0, known = sizeof operations / sizeof *operations;
    while (argc == 3 && which < known && strcmp(argv[1], operations[which].name) != 0)
        which++;
    long count = argc == 3 ? atol(argv[2]) : 0;
    if (argc != 3 || which == known || count < BATCHES) {
        fprintf(stderr, "usage: operations NAME COUNT\n");
        return 2;
    }
    pthread_t second;
    if (pipe(pipe_ends) != 0 || pthread_create(&second, NULL, sleeper, NULL) != 0) return 1;
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    sem_init(&semaphore, 0, 0);
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&locks[i], NULL);
    double least = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
        double before = now();
        operations[which].work(count / BATCHES);
        double taken = (now() - before) / (double)(count / BATCHES);
        if (batch == 0 || taken < least) least = taken;
    }
    printf("%.2f\n", least);
    close(pipe_ends[1]);
    pthread_join(second, NULL);
    return 0;
}
