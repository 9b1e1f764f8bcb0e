/* Each under a lock, and then the other thread under the same lock. The first goes on meanwhile: whatever epoch a
 * mistaken number might name is one that the second does not know. */
#include "miscast.h"

enum { TIMES = 8 };
_Alignas(16) unsigned char buffers[TIMES][64];
pthread_mutex_t locks[TIMES], own = PTHREAD_MUTEX_INITIALIZER;
long counter, sum;

/* So many more epochs. */
static void go_on(int epochs) {
    for (int i = 0; i < epochs; i++) {
        pthread_mutex_lock(&own);
        counter++;
        pthread_mutex_unlock(&own);
    }
}

static void *first(void *unused) {
    for (int i = 0; i < TIMES; i++) {
        set_all(buffers[i]);
        go_on(i % 3 + 1);
        pthread_mutex_lock(&locks[i]);
        sum += get_all(buffers[i]);
        set_all(buffers[i]);
        pthread_mutex_unlock(&locks[i]);
        go_on(4);
        step();
        step();
    }
    return unused;
}
static void *second(void *unused) {
    long sums = 0;
    for (int i = 0; i < TIMES; i++) {
        unsigned char *b = buffers[i];
        step();
        b[6] = b[9] = b[21] = b[26] = b[34] = b[43] = 1;
        pthread_mutex_lock(&locks[i]);
        sums += get_all(b);
        set_all(b);
        pthread_mutex_unlock(&locks[i]);
        step();
    }
    CHECK(sums != 0);
    return unused;
}

int main(void) {
    for (int i = 0; i < TIMES; i++)
        pthread_mutex_init(&locks[i], NULL);
    run_two(first, second);
    return 0;
}
