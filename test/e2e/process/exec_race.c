/* A program that becomes itself again, from a thread while others run, is checked from the beginning. */
/* EXPECT: 1 race reported */
#include "test.h"
#include <unistd.h>

int shared;

static void *first(void *unused) {
    shared = 1;
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    shared = 2;
    return unused;
}

static void *become(void *path) {
    execl("/proc/self/exe", path, "again", (char *)0);
    abort();
}

int main(int argc, char **argv) {
    if (argc > 1) {
        run_two(first, second);
        return 0;
    }
    join(spawn(become, argv[0]));
    return 1;
}
