/* What is done to small blocks is ordered before they are freed. */
#include "small.h"

static pthread_mutex_t turns = PTHREAD_MUTEX_INITIALIZER;

static void turn(void) {
    pthread_mutex_lock(&turns);
    pthread_mutex_unlock(&turns);
}
