// A shared_ptr's count is safe to share, what it points to is not.
#include "test.h"

#include <memory>
#include <thread>

int main() {
    steps(2);
    auto shared = std::make_shared<int>(0);
    std::thread other([copy = shared] {
        *copy = 1;
        step();
    });
    step();
    *shared = 2;
    other.join();
    return 0;
}
