#!/bin/sh
# curl with a thread for each look-up of a name: a part of its own tests, those with threads of their own included.
. "$(dirname "$0")/lib.sh"
begin curl curl

libtests='500 501 502 503 504 507 508 509 510 512 513 514 515 516 517 518 519 520 521 523 524 526 527 530 532 533
    537 539 540 541 542 543 544 1565 3026'

build_it() {
    cp -rp "$src/." "$1" && cd "$1" || return
    ./configure --disable-dependency-tracking --disable-shared --enable-threaded-resolver --without-ssl --without-zlib \
        --without-brotli --without-zstd --without-libpsl --disable-ldap --without-libidn2 --without-nghttp2 \
        --without-librtmp --without-libssh2 --disable-manual "CC=$2" CFLAGS='-O2 -g' && make -j2 -C lib $as_it_is \
        && make -j2 -C src $as_it_is && make -j2 -C tests/server $as_it_is \
        && make -j2 -C tests/libtest $as_it_is $(for t in $libtests; do echo "lib$t"; done)
}

# Many transfers at once from a server of python's; each looks up its name in a thread.
lookups() {
    rm -rf served && mkdir served && seq 1 20000 >served/file || return
    : >server.log
    python3 -u -m http.server 0 --bind 127.0.0.1 --directory served >>server.log 2>&1 &
    server=$!
    while ! grep -q 'port [0-9]* ' server.log; do kill -0 $server || return; done
    port=$(sed -n 's/.*port \([0-9]*\).*/\1/p' server.log)
    for parallel in 2 10; do
        rm -f served/got*
        passes "$parallel look-ups at once" "$1/src/curl" -sS --no-progress-meter -Z --parallel-immediate \
            --parallel-max $parallel --no-keepalive -H 'Connection: close' "http://localhost:$port/file?[1-100]" -o 'served/got#1'
        echo "ok $(cat served/got* | cksum)"
    done
    kill $server
}

test_it() {
    cd "$1/tests" || return
    say "running tests" >&2
    # -n: without valgrind; -a: go on after a failure.
    timeout 1200 perl runtests.pl -a -n -p $(seq 1 100) $libtests >"$log.tests" 2>&1
    cat "$log.tests" >>"$log"
    awk '/^test [0-9]+\.\.\.\[/ { n = $2; sub(/\.\.\..*/, "", n) } / OK \(/ { print "ok", n }
         /FAILED|does not exist/ && n { print "not ok", n; n = "" }' "$log.tests"
    rm -f "$log.tests"
    cd "$work" && lookups "$1"
}
finish
