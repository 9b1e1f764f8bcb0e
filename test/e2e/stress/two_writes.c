/* One unordered pair of writes, with nothing that would make them meet: whichever thread comes second must
 * find the other's. */
#include <pthread.h>

int shared;

static void *write_it(void *value) {
    shared = (int)(long)value;
    return 0;
}

int main(void) {
    pthread_t first, second;
    if (pthread_create(&first, 0, write_it, (void *)1l) != 0) return 1;
    if (pthread_create(&second, 0, write_it, (void *)2l) != 0) return 1;
    pthread_join(first, 0);
    pthread_join(second, 0);
    return shared == 0;
}
