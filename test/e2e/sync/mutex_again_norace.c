/* A mutex that one thread locks and unlocks again and again, learning in between what another did: each
 * unlock hands on all that it knows by then. Also a reader-writer lock and a spin lock with a neighbour. */
#include "test.h"

static pthread_mutex_t kept = PTHREAD_MUTEX_INITIALIZER, passed = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t both = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spins[2];
int x[3], y[3], z[3], own;

static void kept_again(void) {
    pthread_mutex_lock(&kept);
    own++;
    pthread_mutex_unlock(&kept);
    pthread_mutex_lock(&kept);
    pthread_mutex_unlock(&kept);
    pthread_rwlock_wrlock(&both);
    pthread_rwlock_unlock(&both);
    pthread_rwlock_rdlock(&both);
    pthread_rwlock_unlock(&both);
    pthread_spin_lock(&spins[0]);
    pthread_spin_unlock(&spins[0]);
}

/* Locks all again and again; in between learns of x from the writer, and tells the reader. */
static void *teller(void *unused) {
    for (int i = 0; i < 3; i++) {
        kept_again();
        step(); /* the writer writes */
        step();
        pthread_mutex_lock(&passed);
        pthread_mutex_unlock(&passed);
        kept_again();
        step(); /* the reader reads */
        step();
    }
    return unused;
}

static void *writer(void *unused) {
    for (int i = 0; i < 3; i++) {
        step();
        x[i] = y[i] = z[i] = 1;
        pthread_mutex_lock(&passed);
        pthread_mutex_unlock(&passed);
        pthread_spin_lock(&spins[1]);
        pthread_spin_unlock(&spins[1]);
        step();
        step();
        step();
    }
    return unused;
}

static void *reader(void *unused) {
    for (int i = 0; i < 3; i++) {
        step();
        step();
        step();
        pthread_mutex_lock(&kept);
        CHECK(x[i] == 1);
        own++;
        pthread_mutex_unlock(&kept);
        pthread_rwlock_wrlock(&both);
        CHECK(y[i] == 1);
        pthread_rwlock_unlock(&both);
        pthread_spin_lock(&spins[0]);
        CHECK(z[i] == 1);
        pthread_spin_unlock(&spins[0]);
        step();
    }
    return unused;
}

int main(void) {
    pthread_spin_init(&spins[0], PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&spins[1], PTHREAD_PROCESS_PRIVATE);
    steps(3);
    pthread_t threads[] = {spawn(teller, NULL), spawn(writer, NULL), spawn(reader, NULL)};
    for (int i = 0; i < 3; i++)
        join(threads[i]);
    return 0;
}
