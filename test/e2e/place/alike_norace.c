/* Fields beside them. */
static void use(void);
#include "alike.h"

static void use(void) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < N; i += 3) {
        smalls[i].left = 1;
        larges[i].rest = 1;
    }
    pthread_mutex_unlock(&lock);
}
