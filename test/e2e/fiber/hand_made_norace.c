/* Coroutines on stacks of the heap, of mappings and of a thread's own frame. */
#include "fiber/hand_made.h"
#include <sys/mman.h>

enum { SIZE = 64 << 10 };
static _Thread_local struct coroutine *running;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
long total;

static void routine(void) {
    struct coroutine *self = running;
    for (;;) {
        int volatile seen[4] = {self->turns};
        pthread_mutex_lock(&mutex);
        total += seen[0] >= 0;
        pthread_mutex_unlock(&mutex);
        coroutine_leave(self);
        seen[1] = self->turns;
    }
}

static void work_on(void *stack) {
    struct coroutine c = {0};
    coroutine_open(&c, stack, SIZE, routine);
    running = &c;
    for (int i = 0; i < 100; i++) {
        c.turns++;
        coroutine_enter(&c);
    }
}

static void *work(void *unused) {
    char own[SIZE] __attribute__((aligned(16)));
    for (int i = 0; i < 10; i++) {
        void *block = malloc(SIZE);
        void *mapping = mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        work_on(block);
        work_on(mapping);
        work_on(own);
        free(block);
        munmap(mapping, SIZE);
    }
    return unused;
}

int main(void) {
    pthread_t a = spawn(work, 0), b = spawn(work, 0);
    work(0);
    join(a);
    join(b);
    CHECK(total == 3 * 3000);
    return 0;
}
