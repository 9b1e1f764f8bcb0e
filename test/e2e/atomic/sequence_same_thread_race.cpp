// In C++20 a relaxed store ends the release sequence, also if the same thread makes it.
// FLAGS: -std=c++20
#include "test.h"

#include <atomic>

static std::atomic<int> flag;
int x;

static void *first(void *unused) {
    x = 1;
    flag.store(1, std::memory_order_release);
    flag.store(2, std::memory_order_relaxed);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    CHECK(flag.load(std::memory_order_acquire) == 2);
    x = 2;
    return unused;
}

int main() {
    run_two(first, second);
    return 0;
}
