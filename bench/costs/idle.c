/* Threads that sleep: idle COUNT
 * Prints what they cost, with all of them asleep: kilobytes of resident and of virtual memory more
 * than before the first was made. Each has called a function or two and touched its stack, as a
 * worker has that waits for work. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t asleep = PTHREAD_COND_INITIALIZER, over = PTHREAD_COND_INITIALIZER;
static long sleeping, ended;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    sleeping++;
    pthread_cond_signal(&asleep);
    while (!ended)
        pthread_cond_wait(&over, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

/* Both in kilobytes. */
static void memory(long *resident, long *virtual) {
    char line[256];
    FILE *file = fopen("/proc/self/status", "r");
    *resident = *virtual = 0;
    while (file && fgets(line, sizeof line, file)) {
        sscanf(line, "VmRSS: %ld", resident);
        sscanf(line, "VmSize: %ld", virtual);
    }
    if (!file) exit(1);
    fclose(file);
}

static void *nothing(void *unused) { return unused; }

int main(int argc, char **argv) {
    long count = argc == 2 ? atol(argv[1]) : 0;
    pthread_t *threads = malloc(((size_t)count + 1) * sizeof *threads);
    long resident[2], virtual[2];
    if (count < 1 || !threads) return 2;
    /* What the first thread costs is the process's. */
    if (pthread_create(&threads[0], NULL, nothing, NULL) != 0) return 1;
    pthread_join(threads[0], NULL);
    memory(&resident[0], &virtual[0]);
    for (long i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, work, NULL) != 0) return 1;
    pthread_mutex_lock(&mutex);
    while (sleeping < count)
        pthread_cond_wait(&asleep, &mutex);
    pthread_mutex_unlock(&mutex);
    memory(&resident[1], &virtual[1]);
    printf("%.1f %.1f\n", (double)(resident[1] - resident[0]) / (double)count,
           (double)(virtual[1] - virtual[0]) / (double)count);
    pthread_mutex_lock(&mutex);
    ended = 1;
    pthread_cond_broadcast(&over);
    pthread_mutex_unlock(&mutex);
    for (long i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    return 0;
}
