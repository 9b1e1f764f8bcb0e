#!/bin/sh
# redis: a part of its own tests, with its threads for input and output.
. "$(dirname "$0")/lib.sh"
begin redis redis

build_it() { cp -rp "$src/." "$1" && make -C "$1" -j2 "CC=$2" MALLOC=libc OPTIMIZATION=-O2; }

units='unit/printver unit/auth unit/protocol unit/keyspace unit/scan unit/info unit/type/incr unit/type/list
    unit/type/hash unit/multi unit/quit unit/lazyfree unit/pubsub unit/slowlog unit/introspection-2 unit/other
    unit/aofrw integration/aof integration/rdb integration/replication-2 integration/block-repl'

test_it() {
    cd "$1" || return
    for unit in $units; do
        say "$unit" >&2
        ./runtest --clients 1 --config io-threads 4 --config io-threads-do-reads yes --single "$unit" >"$log.unit" 2>&1
        status=$?
        cat "$log.unit" >>"$log"
        # Without colours and times.
        sed 's/\x1b\[[0-9;]*m//g; s/ ([0-9]* ms)$//' "$log.unit" | sed -n 's/^\[ok\]: /ok /p; s/^\[err\]: /not ok /p'
        if [ $status = 0 ]; then echo "ok $unit"; else echo "not ok $unit"; fi
    done
    rm -f "$log.unit"
    cd "$work" || return
}
finish
