// delete is a write to the whole object.
#include "test.h"

struct thing {
    int x, y[100];
};

thing *one;

static void *first(void *unused) {
    CHECK(one->y[50] == 0);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    delete one;
    return unused;
}

int main() {
    one = new thing();
    run_two(first, second);
    return 0;
}
// EXPECT: heap block
// EXPECT: allocated by main thread at:
// EXPECT: #0 main .*delete_race.cpp:2[0-9]
