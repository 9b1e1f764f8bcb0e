#!/bin/sh
# sqlite3, as one file, in its serialised mode: three of its own tests with threads, and the driver of the benchmarks.
. "$(dirname "$0")/lib.sh"
begin sqlite3 sqlite3

build_it() {
    drivers=$here/../../../bench/real
    if [ ! -f "$work/amalgamation/sqlite3.c" ]; then
        rm -rf "$work/amalgamation" && cp -rp "$src" "$work/amalgamation" && cd "$work/amalgamation" || return
        ./configure --disable-tcl --disable-readline && make sqlite3.c || return
    fi
    cd "$1" && cp ../amalgamation/sqlite3.[ch] "$src"/test/threadtest[345].c "$src"/test/tt3_*.c \
        "$src/src/test_multiplex.c" "$src/src/test_multiplex.h" "$drivers/sqlite_driver.c" "$drivers/driver.h" . || return
    $2 -O2 -g -w -DSQLITE_THREADSAFE=1 -DHAVE_USLEEP=1 -c sqlite3.c || return
    for program in threadtest4 threadtest5 sqlite_driver 'threadtest3 test_multiplex'; do
        set -- "$1" "$2" $program
        $2 -O2 -g -w -pthread -I. "$3.c" ${4:+$4.c} sqlite3.o -ldl -lm -o "$3" || return
    done
}

# threadtest4 gives up if it finds the schema of the shared cache locked by its other thread, which is luck, in the plain
# build as well.
until_unlocked='for attempt in $(seq 30); do
    ../threadtest4 "$@" >output 2>&1; status=$?
    cat output; grep -q "database schema is locked" output || exit $status
done; exit 1'

test_it() {
    rm -rf "$1/run" && mkdir "$1/run" && cd "$1/run" || return
    # The others of threadtest3 take ten seconds each, whatever the machine; these take turns at all that it does.
    for test in walthread3 lookaside1 create_drop_index_1 cgt_pager_1; do
        say "threadtest3 $test" >&2
        passes "threadtest3 $test" ../threadtest3 $test
    done
    for options in '' -wal -serialized; do
        say "threadtest4 $options" >&2
        passes "threadtest4 $options" sh -c "$until_unlocked" sh 2 $options
    done
    say threadtest5 >&2
    passes threadtest5 ../threadtest5
    for threads in 1 2 4; do
        say "the driver, $threads threads" >&2
        echo "ok $(timeout 600 ../sqlite_driver $threads 100 . 2>>"$log" || echo fails)" | sed '/fails/s/^/not /'
    done
    cd "$work" || return
}
finish
