#!/bin/sh
# lmdb: its own tests, which have one thread each, and the driver of the benchmarks, in which one thread writes
# while others read.
. "$(dirname "$0")/lib.sh"
begin lmdb lmdb

tests='mtest mtest2 mtest3 mtest4 mtest5'
build_it() {
    cp -r "$src/libraries/liblmdb/." "$1" && cp "$here/../../../bench/real/lmdb_driver.c" "$here/../../../bench/real/driver.h" "$1" \
        && cd "$1" || return
    make -j2 "CC=$2" OPT='-O2 -g' $tests && $2 -O2 -g -pthread lmdb_driver.c liblmdb.a -o lmdb_driver
}

test_it() {
    cd "$1" || return
    for test in $tests; do
        rm -rf testdb && mkdir testdb
        passes "$test" "./$test"
    done
    for threads in 1 2 4 8; do
        rm -rf testdb && mkdir testdb
        say "one thread writes, $((threads - 1)) read" >&2
        echo "ok $(timeout 600 ./lmdb_driver $threads 3000 testdb 2>>"$log" || echo fails)" | sed '/fails/s/^/not /'
    done
    cd "$work" || return
}
finish
