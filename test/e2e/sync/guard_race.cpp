// The guard orders the making of the object, not what is done to it later.
#include "test.h"

struct thing {
    int x;
    thing() : x(1) {}
};

static thing &the_thing() {
    static thing one;
    return one;
}

static void *first(void *unused) {
    the_thing().x = 2;
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    the_thing().x = 3;
    return unused;
}

int main() {
    run_two(first, second);
    return the_thing().x == 0;
}
