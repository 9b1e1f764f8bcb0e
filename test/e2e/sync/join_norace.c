/* The end of a thread is ordered before its join, of whatever kind; its creation before its start. */
// FLAGS: -D_GNU_SOURCE
#include "test.h"

#include <time.h>

int given, result;

static void *work(void *argument) {
    result += given;
    return argument;
}

static struct timespec in_a_minute(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_sec += 60;
    return t;
}

int main(void) {
    void *value;
    given = 1;
    pthread_t thread = spawn(work, &given);
    CHECK(pthread_join(thread, &value) == 0 && value == &given);
    CHECK(result == 1);

    given = 2;
    thread = spawn(work, NULL);
    while (pthread_tryjoin_np(thread, NULL) != 0)
        ;
    CHECK(result == 3);

    given = 3;
    thread = spawn(work, NULL);
    struct timespec until = in_a_minute(CLOCK_REALTIME);
    CHECK(pthread_timedjoin_np(thread, NULL, &until) == 0);
    CHECK(result == 6);

    given = 4;
    thread = spawn(work, NULL);
    until = in_a_minute(CLOCK_MONOTONIC);
    CHECK(pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &until) == 0);
    CHECK(result == 10);
    return 0;
}
