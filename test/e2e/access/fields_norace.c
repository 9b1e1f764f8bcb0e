#include "fields.h"

static void last(void) {
    pthread_mutex_lock(&lock);
    one_of_each();
    pthread_mutex_unlock(&lock);
}
