#!/bin/sh
# A CMake project of C and C++, a shared library and a static one, builds as it is.
. "$(dirname "$0")/lib.sh"

mkdir project && cp race.c project/
cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(probe C CXX)
find_package(Threads REQUIRED)
include(CheckCSourceCompiles)
include(CheckCCompilerFlag)
check_c_compiler_flag(-Wshadow HAVE_SHADOW)
check_c_compiler_flag(-Wno-such-warning-exists HAVE_NONSENSE)
if(NOT CMAKE_C_COMPILER_ID STREQUAL Clang OR NOT HAVE_SHADOW OR HAVE_NONSENSE)
  message(FATAL_ERROR "taken for '${CMAKE_C_COMPILER_ID}', HAVE_NONSENSE='${HAVE_NONSENSE}'")
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_STANDARD 17)
add_library(half SHARED half.c)
add_library(rest STATIC rest.cc)
add_executable(race race.c)
add_executable(main main.c)
target_link_libraries(race Threads::Threads)
target_link_libraries(main half rest Threads::Threads)
END
echo 'int half(int x) { return x / 2; }' >project/half.c
echo '#include <string>
extern "C" int rest(int x) { return (int)std::to_string(x).size(); }' >project/rest.cc
echo 'int half(int), rest(int); int main(void) { return half(4) - 2 + rest(123) - 3; }' >project/main.c

bin=$(dirname "$DEADHEAT")
build() {
    name=$1
    shift
    if ! cmake -S project -B "$name" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo "$@" >log 2>&1 \
        || ! cmake --build "$name" >>log 2>&1; then
        fail "cmake $*" "$(cat log)"
        return
    fi
    check_instrumented "$name/race" "$name/libhalf.so"
    check_race "$name/race"
    check_norace "$name/main"
}
build aliases -DCMAKE_C_COMPILER="$bin/deadheat-cc" -DCMAKE_CXX_COMPILER="$bin/deadheat-c++"
build words "-DCMAKE_C_COMPILER=$bin/deadheat;cc" "-DCMAKE_CXX_COMPILER=$bin/deadheat;c++"
CC="deadheat cc" CXX="deadheat c++" build environment
finish
