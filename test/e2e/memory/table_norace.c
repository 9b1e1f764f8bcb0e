/* Of all. */
static void last(void);
#include "table.h"

static void last(void) {
    table[N / 2 + 1] = 1;
    pthread_mutex_lock(&done);
    pthread_mutex_unlock(&done);
}
