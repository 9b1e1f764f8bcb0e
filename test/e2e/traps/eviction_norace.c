/* Eight bytes of one machine word, each under a lock of its own, and eight threads that use them all, and
 * read them all with all the locks held. */
#include "test.h"

enum { BYTES = 8, ROUNDS = 2000 };

static _Alignas(8) char bytes[BYTES];
static pthread_mutex_t locks[BYTES];

static void read_all(void) {
    int sum = 0;
    for (int i = 0; i < BYTES; i++)
        pthread_mutex_lock(&locks[i]);
    for (int i = 0; i < BYTES; i++)
        sum += bytes[i] != 0;
    for (int i = 0; i < BYTES; i++)
        pthread_mutex_unlock(&locks[i]);
    CHECK(sum <= BYTES);
}

static void *work(void *number) {
    for (long i = 0; i < ROUNDS; i++) {
        int which = (int)((i * 5 + (long)number * 3) % BYTES);
        pthread_mutex_lock(&locks[which]);
        bytes[which]++;
        pthread_mutex_unlock(&locks[which]);
        if (i % 100 == 0) read_all();
    }
    return NULL;
}

int main(void) {
    pthread_t threads[BYTES];
    for (int i = 0; i < BYTES; i++)
        pthread_mutex_init(&locks[i], NULL);
    for (long i = 0; i < BYTES; i++)
        threads[i] = spawn(work, (void *)i);
    for (int i = 0; i < BYTES; i++)
        join(threads[i]);
    return 0;
}
