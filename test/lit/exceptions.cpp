// C++: exceptions, virtual calls, static guards, thread_local, atomics of classes, coroutines.
// RUN: for o in 0 1 2 3; do %dhcxx -std=c++20 -O$o -g -c -emit-llvm %s -o %t.bc && opt -passes=verify -disable-output %t.bc && %dhcc -x ir -c %t.bc -o %t.o && llvm-nm %t.o | FileCheck %s || exit 1; done
#include <atomic>
#include <coroutine>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
// CHECK-NOT: tsan

struct Base { virtual ~Base() {} virtual int f(int) = 0; int n = 0; };
struct Derived : Base { int f(int x) override { if (x > 3) throw std::runtime_error("x"); return n += x; } };

std::atomic<float> level;
struct Pair { int a, b; };
std::atomic<Pair> pair;
thread_local std::vector<int> log_;

int run(Base &b, std::vector<std::string> &v) {
    static std::string name = v.at(0);
    try {
        v.push_back(name + std::to_string(b.f((int)v.size())));
        log_.push_back(b.n);
    } catch (std::exception &e) {
        v.emplace_back(e.what());
        throw;
    }
    level.fetch_add(1.0f);
    Pair p = pair.load(std::memory_order_acquire);
    while (!pair.compare_exchange_weak(p, Pair{p.a + 1, p.b})) {}
    return (int)name.size();
}

struct Generator {
    struct promise_type {
        int value;
        Generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int v) { value = v; return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
    std::coroutine_handle<promise_type> handle;
};
Generator count(int *p) {
    for (int i = 0; i < *p; i++) co_yield i + *p;
}
int sum(int *p) {
    int s = 0;
    for (Generator g = count(p); g.handle.resume(), !g.handle.done();) s += g.handle.promise().value;
    return s;
}
std::unique_ptr<Base> make() { return std::make_unique<Derived>(); }
