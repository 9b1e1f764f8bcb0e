/* It may say by other means that it is done. */
#include "test.h"

#include <semaphore.h>
#include <threads.h>

static sem_t done;
int data;

static void *posix(void *unused) {
    data++;
    sem_post(&done);
    return unused;
}
static int c11(void *unused) {
    data++;
    sem_post(&done);
    return unused != NULL;
}

int main(void) {
    CHECK(sem_init(&done, 0, 0) == 0);
    for (int i = 0; i < 20; i++) {
        thrd_t thread;
        data++;
        CHECK(pthread_detach(spawn(posix, NULL)) == 0 && sem_wait(&done) == 0);
        data++;
        CHECK(thrd_create(&thread, c11, NULL) == thrd_success && thrd_detach(thread) == thrd_success);
        CHECK(sem_wait(&done) == 0);
    }
    return data != 80;
}
