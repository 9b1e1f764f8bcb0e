/* Pages that pass from thread to thread, by locks, under contention: some words each time, all now and then. */
#include "test.h"

enum { THREADS = 4, ROUNDS = 100000, PAGES = 8, WORDS = 1024 };

static struct {
    _Alignas(4096) int words[WORDS];
    pthread_mutex_t lock;
} pages[PAGES];

static void *work(void *number) {
    unsigned random = (unsigned)(long)number + 1;
    for (int i = 0; i < ROUNDS; i++) {
        random = random * 1664525 + 1013904223;
        int page = random >> 16 & (PAGES - 1);
        pthread_mutex_lock(&pages[page].lock);
        for (int w = 0; w < 4; w++)
            pages[page].words[(random >> 8) % WORDS]++;
        if (i % 10000 == 0)
            for (int w = 0; w < WORDS; w++)
                pages[page].words[w]++;
        pthread_mutex_unlock(&pages[page].lock);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < PAGES; i++)
        pthread_mutex_init(&pages[i].lock, NULL);
    for (long i = 0; i < THREADS; i++)
        threads[i] = spawn(work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
    return 0;
}
