/* Pages that pass from thread to thread, by locks; once, a thread uses a word without. */
#include "test.h"

enum { THREADS = 4, ROUNDS = 5000, WORDS = 1024 };

static _Alignas(4096) int words[WORDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void use(int word) {
    pthread_mutex_lock(&lock);
    words[word]++;
    pthread_mutex_unlock(&lock);
}

static void *work(void *number) {
    int careless = (long)number == THREADS - 1;
    for (int i = 0; i < ROUNDS; i++)
        use(i * 7 % WORDS);
    step();
    if (careless) words[100]++;
    step();
    if (!careless) use(100);
    step();
    for (int i = 0; i < ROUNDS; i++)
        use(i * 7 % WORDS);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    steps(THREADS);
    for (long i = 0; i < THREADS; i++)
        threads[i] = spawn(work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
    return 0;
}
