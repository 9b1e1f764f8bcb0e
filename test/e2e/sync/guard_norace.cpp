// Function-local statics are made once, and whoever uses one is ordered after that. An initialiser that
// throws is tried again by the next.
#include "test.h"

#include <stdexcept>

enum { THREADS = 8 };

struct thing {
    int x;
    thing() : x(1) {}
};

int attempts;

int fail_twice() {
    if (attempts++ < 2) throw std::runtime_error("again");
    return attempts;
}

static thing &the_thing() {
    static thing one;
    return one;
}

int third_time() {
    static int made = fail_twice();
    return made;
}

static void *work(void *unused) {
    step();
    CHECK(the_thing().x == 1);
    for (int made = 0; made != 3;)
        try {
            made = third_time();
        } catch (std::runtime_error const &) {
        }
    return unused;
}

int main() {
    pthread_t threads[THREADS];
    steps(THREADS);
    for (int i = 0; i < THREADS; i++)
        threads[i] = spawn(work, NULL);
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
    return 0;
}
