/* Destructors of thread-specific data, in all their rounds, and cleanup handlers belong to the thread:
 * whoever joins it is ordered after them. By return, pthread_exit and cancellation. */
#include "test.h"

#include <limits.h>
#include <unistd.h>

static pthread_key_t keys[3];
int rounds, cleaned;

static void again(void *value) {
    rounds++;
    pthread_setspecific(keys[2], value);
}

static void clean(void *unused) {
    (void)unused;
    cleaned++;
}

static void *work(void *how) {
    pthread_setspecific(keys[2], &rounds);
    pthread_cleanup_push(clean, NULL);
    if (how == &keys[0]) pthread_exit(NULL);
    while (how == &keys[1])
        pause();
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void) {
    for (int i = 0; i < 3; i++)
        CHECK(pthread_key_create(&keys[i], again) == 0);
    for (int i = 0; i < 3; i++) {
        pthread_t thread = spawn(work, &keys[i]);
        if (i == 1) CHECK(pthread_cancel(thread) == 0);
        join(thread);
        rounds++;
        cleaned++;
    }
    CHECK(cleaned == 6 && rounds == 3 + 3 * PTHREAD_DESTRUCTOR_ITERATIONS);
    return 0;
}
