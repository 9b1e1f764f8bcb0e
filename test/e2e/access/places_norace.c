/* Memory of every origin, shared in good order. */
// FLAGS: -D_GNU_SOURCE
#include "places.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *word) {
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&lock);
        ++*(int *)word;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void use(int *place) {
    *place = 0;
    pthread_t a = spawn(count, place), b = spawn(count, place);
    join(a);
    join(b);
    CHECK(*place == 20);
}

int main(void) {
    int array[10];
    pthread_t lender = lender_start();
#define USE(name, place) use(place);
    PLACES(USE)
    lender_end(lender);
    return 0;
}
