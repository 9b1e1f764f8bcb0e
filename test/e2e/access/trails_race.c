/* What a thread has read in passing another writes, before it or after it; and what it reads again another has written
 * since: behind a release, also one of a handler, or where the memory has become other memory.
 *
 * EXPECT: #0 in_passing
 * EXPECT: #0 at_the_end
 * EXPECT: #0 after_release
 * EXPECT: #0 after_unmapping
 * EXPECT: #0 after_renewal
 * EXPECT: #0 after_handler
 * EXPECT: #0 read_second
 * REJECT: #0 (before|read_first)
 * EXPECT: [Rr]ead of size 8 .* by
 * EXPECT: ^deadheat: 7 races reported */
#include "access/trails.h"

char passed[SIZE], left[SIZE], released[SIZE], renewed[SIZE], handled[SIZE], taken[SIZE];
char *reused;

CRAWL(before)
CRAWL(in_passing)
CRAWL(at_the_end)
CRAWL(after_release)
CRAWL(after_unmapping)
CRAWL(after_renewal)
CRAWL(after_handler)

__attribute__((noinline)) static uint64_t read_first(char const *p) {
    return ((struct odd const *)p)->value;
}
__attribute__((noinline)) static uint64_t read_second(char const *p) {
    return ((struct odd const *)p)->value;
}

/* The writer's step is behind what was read before, and not before what is read behind it. */
static void hand_over(int signal) {
    (void)signal;
    sem_post(&there);
    step();
    step();
}

static void *reader(void *unused) {
    step();
    in_passing(passed, SIZE);

    before(released, SIZE);
    hand_over(0);
    after_release(released, SIZE);

    before(reused, SIZE);
    munmap(reused, SIZE);
    step();
    step();
    after_unmapping(reused, SIZE);

    before(renewed, SIZE);
    step();
    step();
    after_renewal(renewed, SIZE);

    before(handled, SIZE);
    raise(SIGUSR1);
    after_handler(handled, SIZE);

    /* In turns: each byte is of one of them. */
    for (int i = 1; i + 16 < SIZE; i += 16)
        kept = (long)(read_first(taken + i) + read_second(taken + i + 8));

    at_the_end(left, SHORT); /* with what is pending when the thread ends */
    step();
    return unused;
}

static void take_over(char *text) {
    step();
    sem_wait(&there);
    text[RACED] = 1;
    step();
}

static void *writer(void *unused) {
    passed[RACED] = 1;
    step();

    take_over(released);

    step();
    map(reused, MAP_FIXED)[RACED] = 1;
    step();

    step();
    AnnotateNewMemory(HERE, renewed, sizeof renewed);
    step();

    take_over(handled);

    step();
    taken[1 + 16 * 50 + 8 + 3] = 1;
    left[RACED_SHORT] = 1;
    return unused;
}

int main(void) {
    prepare();
    reused = map(NULL, 0);
    signal(SIGUSR1, hand_over);
    run_two(reader, writer);
    return 0;
}
