/* Three hundred live threads, in good order. */
#include "live_slots.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *number) {
    long i = (long)number;
    for (int k = 0; k < 2; k++) {
        pthread_mutex_lock(&mutex);
        writes[i](i + k);
        pthread_mutex_unlock(&mutex);
        step();
    }
    return NULL;
}

int main(void) {
    run_all(run);
    return 0;
}
