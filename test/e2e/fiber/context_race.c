/* A race between code in contexts of two threads: the stacks are those of the contexts. */
/* EXPECT: Location is global 'shared' */
/* EXPECT: #0 set .*context_race.c */
/* EXPECT: #1 generate .*context_race.c */
/* EXPECT: Thread T1 .*created by main thread */
/* EXPECT: 1 race reported */
/* REJECT: #[0-9] (first|second|contexts_) */
/* REJECT: more frames */
#include "fiber/context.h"

int shared;

__attribute__((noinline)) static void set(void) { shared = 1; }

static void generate(unsigned low, unsigned high) {
    struct contexts *c = contexts_of(low, high);
    set();
    c->next = 1;
}

static void *first(void *unused) {
    struct contexts c = {0};
    contexts_open(&c, 0);
    CHECK(contexts_next(&c) == 1);
    step();
    return unused;
}

static void *second(void *unused) {
    struct contexts c = {0};
    contexts_open(&c, 1);
    step();
    CHECK(contexts_next(&c) == 1);
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
