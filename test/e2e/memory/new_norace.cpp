// operator new and delete, of all kinds, are malloc and free underneath.
#include "test.h"

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

struct alignas(256) wide {
    char bytes[512];
};

static void *work(void *unused) {
    for (int i = 0; i < 500; i++) {
        std::vector<std::string> texts;
        for (int j = 0; j < 20; j++)
            texts.push_back(std::string(40, 'x') + std::to_string(j));
        int *one = new int(i), *many = new (std::nothrow) int[100]();
        many[99] = *one;
        auto big = std::make_unique<wide>();
        CHECK((std::uintptr_t)big.get() % 256 == 0);
        big->bytes[511] = 1;
        delete one;
        delete[] many;
    }
    bool thrown = false;
    try {
        std::size_t volatile much = SIZE_MAX / 2;
        char *volatile p = new char[much];
        delete[] p;
    } catch (std::bad_alloc const &) {
        thrown = true;
    }
    CHECK(thrown);
    return unused;
}

int main() {
    run_two(work, work);
    return 0;
}
