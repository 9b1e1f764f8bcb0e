/* operator new is made from malloc, and delete from free: both are the program's. */
#include "test.h"

#include <cstring>
#include <string>

alignas(16) static char pool[1 << 22];
static unsigned long used, given_back;

extern "C" void *malloc(size_t size) {
    unsigned long whole = (size + 15) & ~15ul;
    unsigned long at = __atomic_fetch_add(&used, whole, __ATOMIC_RELAXED);
    return at + whole <= sizeof pool ? pool + at : nullptr;
}

extern "C" void free(void *block) {
    if (block) __atomic_fetch_add(&given_back, 1, __ATOMIC_RELAXED);
}

static void *work(void *unused) {
    int *number = new int(1), *many = new int[10];
    CHECK((char *)number >= pool && (char *)number < pool + sizeof pool);
    CHECK((char *)many >= pool && (char *)many < pool + sizeof pool);
    std::string *text = new std::string(100, 'x');
    delete text;
    delete[] many;
    delete number;
    CHECK(__atomic_load_n(&given_back, __ATOMIC_RELAXED) >= 4);
    return unused;
}

int main() {
    pthread_t other = spawn(work, nullptr);
    work(nullptr);
    join(other);
    return 0;
}
