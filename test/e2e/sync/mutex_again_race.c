/* A mutex that one thread locks and unlocks again and again hands on what was done before its last
 * unlock, and nothing that came after.
 * EXPECT: global 'after'
 * EXPECT: ^deadheat: 1 race reported */
#include "test.h"

static pthread_mutex_t kept = PTHREAD_MUTEX_INITIALIZER;
int before, after;

static void *first(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&kept);
        before++;
        pthread_mutex_unlock(&kept);
        pthread_mutex_lock(&kept);
        pthread_mutex_unlock(&kept);
    }
    after = 1;
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    pthread_mutex_lock(&kept);
    before++;
    after = 2;
    pthread_mutex_unlock(&kept);
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
