/* The same in good order, and the forms that share nothing. */
// FLAGS: -D_GNU_SOURCE
#include "test.h"

#include <string.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    for (time_t i = 0; i < 100; i++) {
        struct tm tm;
        char text[32];
        CHECK(localtime_r(&i, &tm) && ctime_r(&i, text));
        step();
        pthread_mutex_lock(&mutex);
        CHECK(setenv("DEADHEAT_TEST", "1", 1) == 0 && strcmp(getenv("DEADHEAT_TEST"), "1") == 0);
        CHECK(localtime(&i) && ctime(&i));
        pthread_mutex_unlock(&mutex);
        step();
        pthread_mutex_lock(&mutex); /* so that who looks next comes after who changed */
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    run_two(run, run);
    return 0;
}
