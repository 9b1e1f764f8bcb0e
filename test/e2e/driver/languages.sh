#!/bin/sh
# C and C++ in each standard, and both in one program.
. "$(dirname "$0")/lib.sh"

for standard in c11 gnu11 c17 gnu17 c23; do
    check "$standard" deadheat cc -std=$standard -D_GNU_SOURCE race.c -o race
    check_race ./race
done

cat >race.cc <<'END'
#include <atomic>
#include <thread>
long shared;
std::atomic<int> ready;
int main() {
    std::thread other([] { shared++; ready.store(1, std::memory_order_relaxed); });
    shared++;
    other.join();
}
END
sed '/^    shared++;$/d' race.cc >norace.cc
for standard in c++11 c++17 c++20 gnu++23; do
    check "$standard" deadheat c++ -std=$standard -O1 race.cc -o race
    check_race ./race
    check "$standard" deadheat c++ -std=$standard -O1 norace.cc -o norace
    check_norace ./norace
done
check "an assembler file beside C++20" sh -c '
    printf ".globl f\nf: ret\n.section .note.GNU-stack\n" >f.s && deadheat c++ -std=c++20 norace.cc f.s -o norace'
check "deadheat-c++" deadheat-c++ norace.cc -o norace
check "deadheat cc compiles C++ too" deadheat cc norace.cc -lstdc++ -o norace
check_norace ./norace

# Partly built with deadheat: plain objects link, and only the others are checked.
check "plain object" "$clang" -c race.c -o plain.o
check "linked by deadheat" deadheat cc plain.o -o plain
check_norace ./plain
finish
