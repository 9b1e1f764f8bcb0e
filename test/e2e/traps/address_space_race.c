/* A race is reported wherever the program runs. */
// FLAGS: -D_GNU_SOURCE
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "address_space.h"

int x;

static void *first(void *unused) {
    x = 1;
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    x = 2;
    return unused;
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc == 1) return wrong_in_all(66) ? 1 : 66;
    run_two(first, second);
    return 0;
}
