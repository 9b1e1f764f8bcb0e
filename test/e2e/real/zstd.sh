#!/bin/sh
# zstd: compresses on several threads, where every byte must be the plain one's; and zstd's own quick tests, of
# its thread pool and of its command line.
. "$(dirname "$0")/lib.sh"
begin zstd zstd

# Optional formats would make the test depend on what else is installed.
settings='HAVE_THREAD=1 HAVE_ZLIB=0 HAVE_LZMA=0 HAVE_LZ4=0 ZSTD_LEGACY_SUPPORT=0'
build_it() {
    cp -r "$src/." "$1" || return
    make -C "$1/programs" -j2 $settings "CC=$2" zstd && make -C "$1/tests" -j2 $settings "CC=$2" datagen poolTests
}

# compress TREE CORPUS FLAGS...
compress() {
    zstd=$1/programs/zstd corpus=$2
    shift 2
    say "compressing $corpus with $*" >&2
    if timeout 600 "$zstd" -q -f "$@" "$corpus" -o small.zst && timeout 600 "$zstd" -q -d -f small.zst -o roundtrip \
        && cmp roundtrip "$corpus"; then
        echo "ok $corpus $* $(cksum <small.zst)"
    else
        echo "not ok $corpus $*"
    fi
}

test_it() {
    plain/tests/datagen -s1 -g8000000 -P60 >large
    plain/tests/datagen -s2 -g2000000 -P40 >small
    for threads in 2 4; do
        compress "$1" large -1 -T$threads
        compress "$1" large -4 -T$threads -B1M
        compress "$1" small -9 -T$threads -B512K
        compress "$1" small -16 -T$threads -B512K
    done
    compress "$1" large -3 -T3 --long=22 --rsyncable
    passes "training a dictionary on three threads" "$1/programs/zstd" -q -f --train-fastcover -T3 \
        -r "$src/lib/common" "$src/lib/compress" -o dictionary
    say "running zstd's test of its thread pool" >&2
    passes "poolTests" "$1/tests/poolTests"
    say "running zstd's tests of its command line" >&2
    cd "$1/tests" || return
    # All but one, which compresses a gigabyte.
    tests=$(cd cli-tests && find . -name '*.sh' -path './*/*' ! -path './common/*' ! -name window-resize.sh)
    tests=$(echo "$tests" | sed 's|^\./||' | sort)
    python3 cli-tests/run.py --zstd=../programs/zstd --zstdgrep=../programs/zstdgrep --zstdless=../programs/zstdless \
        --datagen="$work/plain/tests/datagen" $tests >"$log.cli" 2>&1
    echo "$tests" | while read -r test; do
        if grep -q "^FAIL: .*$test" "$log.cli"; then echo "not ok $test"; else echo "ok $test"; fi
    done
    grep '^PASSED all\|^FAILED' "$log.cli" | sed '/^PASSED/s/^/ok /; /^FAILED/s/^/not ok /'
    cat "$log.cli" >>"$log"
    cd "$work" && rm -f large small small.zst roundtrip dictionary "$log.cli"
}
finish
