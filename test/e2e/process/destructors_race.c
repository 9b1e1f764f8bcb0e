/* main returns while a thread runs on: what exit handlers and destructors access races with it. */
/* EXPECT: Location is global 'handled' */
/* EXPECT: #0 handler */
/* EXPECT: Location is global 'destroyed' */
/* EXPECT: #0 destructor */
/* EXPECT: 2 races reported */
#include "test.h"
#include <unistd.h>

int handled, destroyed;

static void handler(void) { handled = 2; }
__attribute__((destructor)) static void destructor(void) { destroyed = 2; }

static void *run_on(void *unused) {
    handled = destroyed = 1;
    step();
    pause();
    return unused;
}

int main(void) {
    steps(2);
    CHECK(atexit(handler) == 0);
    spawn(run_on, 0);
    step();
    return 0;
}
