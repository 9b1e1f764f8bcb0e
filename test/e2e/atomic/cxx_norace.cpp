// What the C++ library makes of atomics and threads.
// FLAGS: -std=c++20
#include "test.h"

#include <atomic>
#include <barrier>
#include <condition_variable>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

static void atomics() {
    std::atomic<int> flag{0};
    int data = 0;
    std::thread sender([&] {
        data = 1;
        flag.store(1, std::memory_order_release);
        flag.notify_one();
    });
    flag.wait(0, std::memory_order_acquire);
    CHECK(data++ == 1);
    sender.join();
    std::atomic<double> sum{0};
    std::thread adder([&] { sum += 0.5; });
    sum.fetch_add(0.25);
    adder.join();
    CHECK(sum == 0.75);
    int plain = 0;
    std::thread by_reference([&] { std::atomic_ref<int>(plain)++; });
    std::atomic_ref<int>(plain)++;
    by_reference.join();
    CHECK(plain == 2);
}

static void mutexes() {
    std::mutex mutex;
    std::condition_variable changed;
    std::string text;
    std::thread writer([&] {
        std::lock_guard<std::mutex> lock(mutex);
        text = "a text that is too long to be kept inside the string object";
        changed.notify_all();
    });
    {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [&] { return !text.empty(); });
        text += ", and longer";
    }
    writer.join();
    std::shared_mutex shared;
    int value = 0;
    std::thread reader([&] {
        std::shared_lock<std::shared_mutex> lock(shared);
        CHECK(value < 2);
    });
    {
        std::unique_lock<std::shared_mutex> lock(shared);
        value = 1;
    }
    reader.join();
}

static std::once_flag once;
static int made;

static void onces() {
    auto make = [] { std::call_once(once, [] { made = 1; }); CHECK(made == 1); };
    std::thread other(make);
    make();
    other.join();
}

static void waiting() {
    int data[2] = {0, 0};
    std::latch latch(2);
    std::thread by_latch([&] { data[0] = 1; latch.arrive_and_wait(); CHECK(data[1] == 1); });
    data[1] = 1;
    latch.arrive_and_wait();
    CHECK(data[0] == 1);
    by_latch.join();
    std::barrier<> barrier(2);
    std::thread by_barrier([&] { data[0] = 2; barrier.arrive_and_wait(); CHECK(data[1] == 2); });
    data[1] = 2;
    barrier.arrive_and_wait();
    CHECK(data[0] == 2);
    by_barrier.join();
    std::counting_semaphore<2> semaphore(0);
    std::thread by_semaphore([&] { data[0] = 3; semaphore.release(); });
    semaphore.acquire();
    CHECK(data[0]++ == 3);
    by_semaphore.join();
}

struct thing {
    std::vector<int> values;
    ~thing() { values.clear(); }
};

static void pointers() {
    for (int i = 0; i < 200; i++) {
        auto first = std::make_shared<thing>();
        first->values.push_back(i);
        std::weak_ptr<thing> weak = first;
        std::thread other([copy = first, i] { CHECK(copy->values[0] == i); });
        std::thread another([weak] {
            if (auto locked = weak.lock()) CHECK(locked->values.size() == 1);
        });
        first.reset();
        other.join();
        another.join();
    }
}

static void futures() {
    std::promise<std::string> promise;
    std::future<std::string> future = promise.get_future();
    std::thread maker([&] { promise.set_value("a text that is too long to be kept inside the string"); });
    CHECK(future.get().size() > 20);
    maker.join();
    std::string text;
    std::future<void> task = std::async(std::launch::async, [&] { text = "made by the task"; });
    task.get();
    text += ", and read here";
    int rounds = 0;
    {
        std::jthread until_stopped([&](std::stop_token stop) {
            while (!stop.stop_requested())
                std::this_thread::yield();
            rounds = 1;
        });
    }
    CHECK(rounds++ == 1);
}

int main() {
    atomics();
    mutexes();
    onces();
    waiting();
    pointers();
    futures();
    return 0;
}
