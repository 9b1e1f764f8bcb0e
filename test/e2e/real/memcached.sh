#!/bin/sh
# memcached with libevent, both checked: its own tests in perl.
. "$(dirname "$0")/lib.sh"
begin memcached memcached libevent

# A connection's memory goes from worker to worker with the number of a descriptor, an order that only the kernel knows:
# docs/real-programs.md. Two lines tell it.
tell_order() {
    sed -i -e '0,/^#include/s//#include <deadheat.h>\n&/' -e 's/^ *close(c->sfd);/deadheat_release(\&conns[c->sfd]);\n&/' \
        -e 's/^ *c = conns\[sfd\];/deadheat_acquire(\&conns[sfd]);\n&/' memcached.c
    [ "$(grep -c '^deadheat_' memcached.c)" = 2 ]
}

build_it() {
    mkdir "$1/event" && cp -rp "$root/libevent/src/." "$1/event" && cp -rp "$src/." "$1" && cd "$1/event" || return
    ./configure --disable-dependency-tracking --disable-shared --disable-openssl --disable-samples \
        --disable-libevent-regress --disable-debug-mode "--prefix=$1/event/installed" "CC=$2" CFLAGS='-O2 -g' \
        && make -j2 $as_it_is install || return
    cd "$1" && tell_order || return
    ./configure --disable-dependency-tracking "--with-libevent=$1/event/installed" --disable-docs "CC=$2" \
        "CPPFLAGS=-I$here/../../../include" CFLAGS='-O2 -g' && make -j2 $as_it_is memcached-debug testapp sizes timedrun
}

# Left out: what needs TLS, a proxy or artificial conditions, most of what waits for the disk, and what sleeps for longer than twenty seconds.
tests='00-startup 64bit ascii-auth binary-get binary bogus-commands cas chunked-extstore conn-limits daemonize dash-M dyn-maxbytes
    evictions expirations extstore-buckets flags flush-all getandtouch getset incrdecr issue_104 issue_108 issue_14 issue_152
    issue_163 issue_183 issue_192 issue_22 issue_29 issue_3 issue_41 issue_42 issue_50 issue_61 issue_67 issue_68
    issue_70 item_size_max line-lengths lru-crawler lru malicious-commands maxconns metaget multiversioning noreply
    quit refhang shutdown slabs-reassign2 slabs_reassign stats-conns stats-detail stats strtol-testing touch udp
    unixsocket watcher watcher_connid whitespace'

# The tests wait for the server for fixed times, which are too short on a machine that does other things: what fails
# is run again, alone.
test_it() {
    cd "$1" || return
    passes sizes ./sizes
    passes testapp ./testapp
    say "running $(echo $tests | wc -w) files of tests" >&2
    PERL_HASH_SEED=0 timeout 1500 prove -j2 --timer $(for t in $tests; do echo "t/$t.t"; done) >"$log.prove" 2>&1
    cat "$log.prove" >>"$log"
    for test in $tests; do
        if grep -aq "t/$test\.t \.* ok\|t/$test\.t \.* skipped" "$log.prove"; then
            echo "ok $test"
        else
            say "running $test again" >&2
            if timeout 300 prove "t/$test.t" >>"$log" 2>&1 || timeout 300 prove "t/$test.t" >>"$log" 2>&1; then
                echo "ok $test"
            else
                echo "not ok $test"
            fi
        fi
    done
    cd "$work" || return
}
finish
