/* 20,000 threads one after the other, 20 at a time. Each reads what the batch before it wrote, which joins
 * and creations order; half of them are joined by another thread than made them, some are detached and
 * waited for with a semaphore.
 * LEVELS: -O2
 */
#include "test.h"

#include <semaphore.h>

enum { BATCH = 20, BATCHES = 1000 };

static long written[2][BATCH];
static pthread_t threads[BATCH];
static sem_t done;

struct task {
    int batch, place;
};

static void work(struct task const *task) {
    long *mine = &written[task->batch % 2][task->place];
    *mine = written[(task->batch + 1) % 2][(task->place + 1) % BATCH] + 1;
}

static void *joined(void *task) {
    work(task);
    return NULL;
}

static void *detached(void *task) {
    work(task);
    CHECK(pthread_detach(pthread_self()) == 0);
    sem_post(&done);
    return NULL;
}

/* Makes the rest of the batch, and joins it if the place is even. */
static void *make(void *from) {
    struct task *task = from;
    for (int i = task->place + 1; i < task->place + 4; i++)
        threads[i] = spawn(joined, task + i - task->place);
    if (task->place % 8 == 0)
        for (int i = task->place + 1; i < task->place + 4; i++)
            join(threads[i]);
    work(task);
    return NULL;
}

int main(void) {
    struct task tasks[BATCH];
    sem_init(&done, 0, 0);
    for (int batch = 0; batch < BATCHES; batch++) {
        for (int i = 0; i < BATCH; i++)
            tasks[i] = (struct task){batch, i};
        for (int i = 0; i < BATCH - 4; i += 4)
            threads[i] = spawn(make, &tasks[i]);
        for (int i = BATCH - 4; i < BATCH; i++)
            spawn(detached, &tasks[i]);
        for (int i = 0; i < BATCH - 4; i += 4)
            join(threads[i]);
        for (int i = 4; i < BATCH - 4; i += 8)
            for (int j = i + 1; j < i + 4; j++)
                join(threads[j]);
        for (int i = BATCH - 4; i < BATCH; i++)
            sem_wait(&done);
    }
    for (int i = 0; i < BATCH; i++)
        CHECK(written[(BATCHES - 1) % 2][i] == BATCHES);
    return 0;
}
