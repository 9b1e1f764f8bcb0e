#!/bin/sh
# xz: its own tests, and compression and decompression on several threads, where every byte must be the plain one's.
. "$(dirname "$0")/lib.sh"
begin xz xz-utils

build_it() {
    cp -rp "$src/." "$1" && cd "$1" || return
    ./configure --disable-dependency-tracking --disable-shared --enable-static --disable-nls --disable-doc \
        "CC=$2" CFLAGS='-O2 -g' && make -j2 $as_it_is && make -j2 -C tests $as_it_is check TESTS=
}

# compress TREE FLAGS...
compress() {
    xz=$1/src/xz/xz
    shift
    say "compressing with $*" >&2
    if timeout 600 "$xz" -q -c "$@" corpus >corpus.xz && timeout 600 "$xz" -q -dc -T4 corpus.xz >roundtrip \
        && cmp roundtrip corpus; then
        echo "ok $* $(cksum <corpus.xz)"
    else
        echo "not ok $*"
    fi
}

test_it() {
    find "$src/src" "$src/po" -type f | sort | head -n 300 | xargs cat | head -c 4000000 >corpus
    compress "$1" -1 -T2 --block-size=256KiB
    compress "$1" -1 -T4 --block-size=64KiB
    compress "$1" -6 -T3 --block-size=512KiB
    compress "$1" -0 -T4 --block-size=128KiB --x86 --lzma2=preset=0
    compress "$1" -2 -T4 --block-list=100KiB,200KiB,0
    say "running xz's own tests" >&2
    timeout 900 make -k -C "$1/tests" $as_it_is check >"$log.check" 2>&1
    sed -n 's/^PASS: /ok /p; s/^\(FAIL\|ERROR\): /not ok /p' "$log.check"
    cat "$log.check" >>"$log"
    rm -f corpus corpus.xz roundtrip "$log.check"
}
finish
