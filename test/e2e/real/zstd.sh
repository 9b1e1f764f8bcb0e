#!/bin/sh
# zstd, from its Debian source package, under the detector: zstd.sh DEADHEAT DIRECTORY
#
# Builds it twice, with deadheat and with plain clang; compresses on several threads and compares every
# byte with what the plain one makes; and runs zstd's own quick tests. No run may report anything, and
# zstd has no race that we know of. DIRECTORY keeps the source and the plain build for the next time.
# Exits with 77 if the source cannot be fetched.
set -u
deadheat=$(realpath "$1") directory=$2
here=$(cd "$(dirname "$0")" && pwd)
unset DEADHEAT_OPTIONS MAKEFLAGS MFLAGS CFLAGS CPPFLAGS LDFLAGS
export LC_ALL=C
mkdir -p "$directory" || exit 1
"$here/fetch.sh" zstd "$directory" || exit
cd "$directory" || exit 1

die() { echo "FAILED: $1"; [ $# -lt 2 ] || tail -n 60 "$2"; exit 1; }

# Optional formats would make the test depend on what else is installed.
settings='HAVE_THREAD=1 HAVE_ZLIB=0 HAVE_LZMA=0 HAVE_LZ4=0 ZSTD_LEGACY_SUPPORT=0'
build() { # TREE COMPILER
    rm -rf "$1" && cp -r src "$1" || exit 1
    make -C "$1/programs" -j2 $settings "CC=$2" zstd >"$1.log" 2>&1 || die "zstd does not build with $2" "$1.log"
    make -C "$1/tests" -j2 $settings "CC=$2" datagen poolTests >>"$1.log" 2>&1 \
        || die "zstd's tests do not build with $2" "$1.log"
}
echo "building zstd $(sed -n '1s/.*(\(.*\)).*/\1/p' src/debian/changelog)"
if [ ! -x plain/tests/poolTests ]; then build plain clang-19; fi
build checked "$deadheat cc"
nm checked/programs/zstd | grep -q ' __dh_' || die "the program has no checks in it"

# quiet COMMAND...: it must succeed without a report.
quiet() {
    timeout 120 "$@" >out 2>err
    status=$?
    if [ $status -ne 0 ] || grep -qi deadheat err; then die "status $status: $*" err; fi
}

# compress CORPUS FLAGS...: on several threads, the same bytes as the plain zstd makes; and back again.
compress() {
    corpus=$1
    shift
    echo "compressing $corpus with $*"
    plain/programs/zstd -q -f "$@" "$corpus" -o plain.zst || die "the plain zstd fails: $*"
    quiet checked/programs/zstd -q -f "$@" "$corpus" -o checked.zst
    cmp plain.zst checked.zst || die "not the bytes that the plain zstd makes: $*"
    quiet checked/programs/zstd -q -d -f checked.zst -o roundtrip
    cmp roundtrip "$corpus" || die "what was compressed does not come back: $*"
}
plain/tests/datagen -s1 -g8000000 -P60 >large || die "no corpus"
plain/tests/datagen -s2 -g2000000 -P40 >small || die "no corpus"
for threads in 2 4; do
    compress large -1 -T$threads
    compress large -4 -T$threads -B1M
    compress small -9 -T$threads -B512K
    compress small -16 -T$threads -B512K
done
compress large -3 -T3 --long=22 --rsyncable
echo "training a dictionary on three threads"
quiet checked/programs/zstd -q -f --train-fastcover -T3 -r checked/lib/common checked/lib/compress -o dictionary

echo "running zstd's test of its thread pool"
quiet checked/tests/poolTests
grep -q '^PASS' out err || die "the test of the thread pool does not say PASS" out

echo "running zstd's tests of its command line"
cd checked/tests || exit 1
# All but one, which compresses a gigabyte.
tests=$(cd cli-tests && find . -name '*.sh' -path './*/*' ! -path './common/*' ! -name window-resize.sh)
python3 cli-tests/run.py --zstd=../programs/zstd --zstdgrep=../programs/zstdgrep \
    --zstdless=../programs/zstdless --datagen=../../plain/tests/datagen \
    $(echo "$tests" | sed 's|^\./||' | sort) >../../cli.log 2>&1 || die "zstd's own tests fail" ../../cli.log
cd ../..
grep -q '^PASSED all' cli.log || die "zstd's own tests do not say that all passed" cli.log
if grep -i 'WARNING: Deadheat' cli.log; then die "a race in zstd's own tests" cli.log; fi
grep '^PASSED all' cli.log
rm -f large small plain.zst checked.zst roundtrip dictionary out err
