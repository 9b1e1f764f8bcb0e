/* Two spin locks side by side are two locks. Expected: a race on data. */
#include "test.h"
pthread_spinlock_t locks[2];
int data;
static void *first(void *u) { (void)u;
    pthread_spin_lock(&locks[0]); data = 1; pthread_spin_unlock(&locks[0]);
    step(); step();
    return NULL; }
static void *second(void *u) { (void)u;
    step();
    pthread_spin_lock(&locks[1]); data = 2; pthread_spin_unlock(&locks[1]);
    step();
    return NULL; }
int main(void) { pthread_spin_init(&locks[0], 0); pthread_spin_init(&locks[1], 0); run_two(first, second); return 0; }
