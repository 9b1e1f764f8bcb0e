/* One after the other, under a lock, and beside what the others access. */
#include "miscast.h"

static void *work(void *argument) {
    long sum = 0;
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&mutex);
        if (i % 2 == (argument != NULL))
            set_all();
        else
            sum += get_all();
        pthread_mutex_unlock(&mutex);
        if (argument) buffer[6] = buffer[21] = buffer[34] = 1;
        if (!argument) buffer[9] = buffer[26] = buffer[43] = 1;
    }
    return sum < 0 ? argument : NULL;
}
static void *first(void *unused) { return work(unused); }
static void *second(void *unused) {
    (void)unused;
    return work(buffer);
}

int main(void) {
    run_two(first, second);
    return 0;
}
