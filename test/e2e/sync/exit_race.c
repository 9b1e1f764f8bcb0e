/* A destructor of thread-specific data that nobody waited for. */
#include "test.h"

static pthread_key_t key;
int x;

static void end(void *unused) {
    (void)unused;
    x = 1;
    step();
}

static void *work(void *unused) {
    pthread_setspecific(key, &x);
    return unused;
}

int main(void) {
    steps(2);
    pthread_key_create(&key, end);
    pthread_t thread = spawn(work, NULL);
    step();
    x = 2;
    join(thread);
    return 0;
}
