/* C++: functions by their readable names, members by theirs, operator new as an allocation.
 * EXPECT: ^    #[0-9] zoo::Keeper<int>::feed\(int\) .*names_race\.cpp:[0-9]+
 * EXPECT: Location is heap block of size 16 at 0x[0-9a-f]+, offset 8, allocated by main thread at:$
 * EXPECT: ^    #[01] (operator new\(unsigned long\)|main) .*
 * REJECT: _ZN
 */
#include "test.h"

namespace zoo {
template <class T> struct Keeper {
    virtual ~Keeper() {}
    T meals = 0;
    __attribute__((noinline)) void feed(T n) { meals = n; }
};
} // namespace zoo

static zoo::Keeper<int> *keeper;

static void *first(void *) {
    keeper->feed(1);
    step();
    return nullptr;
}

static void *second(void *) {
    step();
    keeper->feed(2);
    return nullptr;
}

int main() {
    keeper = new zoo::Keeper<int>;
    run_two(first, second);
    int meals = keeper->meals;
    delete keeper;
    return meals != 2;
}
