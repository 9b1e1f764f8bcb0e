// A program's own operator new is used, for arrays too.
#include "test.h"

#include <new>

static __thread int volatile count;

void *operator new(std::size_t size) {
    count = count + 1;
    return malloc(size);
}

void operator delete(void *p) noexcept { free(p); }
void operator delete(void *p, std::size_t) noexcept { free(p); }

static void *work(void *unused) {
    int *volatile one = new int(1);
    int *volatile many = new int[10]();
    CHECK(count == 2 && *one == 1 && many[9] == 0);
    delete one;
    delete[] many;
    return unused;
}

int main() {
    run_two(work, work);
    return 0;
}
