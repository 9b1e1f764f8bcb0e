/* What a thread has read in passing another writes: it was handed over, or has become other memory before. */
#include "access/trails.h"

char released[SIZE], renewed[SIZE], pending[SIZE], handled[SIZE], ignored[SIZE], own[SIZE];

CRAWL(crawl)

static void hand_over(int signal) {
    (void)signal;
    sem_post(&there);
    sem_wait(&back);
}

static void *reader(void *unused) {
    crawl(released, SIZE);
    hand_over(0);
    crawl(released, SIZE);
    crawl(released, SHORT);
    hand_over(0);

    for (int i = 1; i < 3; i++) {
        char *reused = malloc(SIZE);
        reused[RACED] = (char)i;
        for (int at = 0; at < SIZE; at++)
            if (at != RACED) reused[at] = 0;
        crawl(reused, SIZE);
        free(reused);
    }

    crawl(renewed, SIZE);
    AnnotateNewMemory(HERE, renewed, sizeof renewed);
    crawl(renewed, SIZE);

    /* Another has it afterwards, and nobody knows why: only what was read before it was renewed does not count. Here
     * and there, and next to what does. */
    crawl(pending, SHORT);
    step();
    step();
    crawl(pending, SHORT / 4);

    crawl(handled, SHORT);
    raise(SIGUSR1);
    crawl(handled, SIZE);

    crawl(ignored, SHORT);
    AnnotateIgnoreReadsBegin(HERE);
    crawl(ignored + SHORT - 8, SHORT);
    AnnotateIgnoreReadsEnd(HERE);

    crawl(own, SHORT);
    own[RACED_SHORT] = 1;
    crawl(own, SIZE);
    return unused;
}

static void take_over(char *text) {
    sem_wait(&there);
    text[RACED] = text[RACED_SHORT] = 1;
    sem_post(&back);
}

static void *writer(void *unused) {
    take_over(released);
    take_over(released);

    step();
    AnnotateNewMemory(HERE, pending + SHORT / 4, 3);
    AnnotateNewMemory(HERE, pending + SHORT / 2, SHORT);
    pending[RACED_SHORT] = 1;
    step();

    take_over(handled);
    for (int i = SHORT; i < 2 * SHORT - 8; i++)
        ignored[i] = 0;
    return unused;
}

int main(void) {
    prepare();
    signal(SIGUSR1, hand_over);
    run_two(reader, writer);
    return 0;
}
