/* Generators by swapcontext, in two threads at once, on stacks of all kinds; one goes on in the other thread,
 * under a mutex; setcontext and getcontext as a loop. */
#include "fiber/context.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int total;
static struct contexts travelling;

static void generate(unsigned low, unsigned high) {
    struct contexts *c = contexts_of(low, high);
    int own[16] = {0};
    for (int i = 0; i < 100; i++) {
        own[i % 16]++;
        c->next = i;
        CHECK(swapcontext(&c->generator, &c->caller) == 0);
    }
    pthread_mutex_lock(&mutex);
    total += own[0];
    pthread_mutex_unlock(&mutex);
}

static void go_round(void) {
    ucontext_t top;
    int volatile rounds = 0;
    CHECK(getcontext(&top) == 0);
    if (++rounds < 10) setcontext(&top);
    CHECK(rounds == 10);
}

static void *work(void *mapped) {
    struct contexts c = {0};
    for (int round = 0; round < 20; round++) {
        contexts_open(&c, mapped != 0);
        for (int i = 0; i < 100; i++)
            CHECK(contexts_next(&c) == i);
        contexts_next(&c);
        contexts_close(&c, mapped != 0);
    }
    go_round();
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&mutex);
        contexts_next(&travelling);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    contexts_open(&travelling, 0);
    pthread_t a = spawn(work, 0), b = spawn(work, &total);
    work(0);
    join(a);
    join(b);
    CHECK(total == 60 * 7);
    return 0;
}
