/* A hook that takes a lock ends the epoch in the middle of a check of many accesses, of which the first ones are
 * races. The others are still those of the epoch that they were made in.
 * EXPECT: ^deadheat: 1 race reported .20 occurrences.
 */
#include "test.h"

#include <deadheat.h>

enum { COUNT = 20, RACY = 10 };
struct {
    long value, gap;
} list[COUNT];
static int volatile limit = COUNT; /* else there is no loop left */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void deadheat_on_race(char const *json) {
    (void)json;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

__attribute__((noinline)) static long one(int i) { return list[i].value; }

static void *first(void *unused) {
    long volatile sum = 0;
    for (int i = 0; i < RACY; i++)
        sum += one(i * 7 % RACY);
    step();
    step();
    for (int i = RACY; i < COUNT; i++)
        sum += one(i);
    return unused;
}

static void *second(void *unused) {
    int count = limit;
    step();
    for (int i = 0; i < count; i++)
        list[i].value = i;
    step();
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
