/* Memory of one thread's stack is another's later: with nothing in common but the address. Detached
 * threads, so that libc's cache of stacks is the only thing that passes it on; and stacks that the program
 * provides. */
#include "test.h"

enum { THREADS = 50, STACK = 256 * 1024 };

static void use(int volatile *local) {
    for (int i = 0; i < 1000; i++)
        local[i] = i;
}

static void *work(void *unused) {
    int volatile local[1000];
    use(local);
    step();
    return unused;
}

static void detached(void) {
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    for (int i = 0; i < THREADS; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, &attr, work, NULL) == 0);
        step();
    }
    pthread_attr_destroy(&attr);
}

static void *fill(void *unused) {
    int volatile local[1000];
    use(local);
    return unused;
}

static void provided(void) {
    pthread_attr_t attr;
    char *stack = aligned_alloc(4096, STACK);
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        for (int j = 0; j < STACK; j++)
            stack[j] = 1;
        pthread_attr_init(&attr);
        CHECK(pthread_attr_setstack(&attr, stack, STACK) == 0);
        CHECK(pthread_create(&thread, &attr, fill, NULL) == 0);
        join(thread);
        pthread_attr_destroy(&attr);
    }
    free(stack);
}

int main(void) {
    steps(2);
    provided();
    detached();
    return 0;
}
