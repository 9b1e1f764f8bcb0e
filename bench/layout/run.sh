#!/bin/sh
# Several builds of Deadheat side by side, on the four programs of docs/layout.md: run.sh DIRECTORY NAME=DEADHEAT...
#
# For example: run.sh /tmp/layout kept=build/bin/deadheat narrow=../narrow/build/bin/deadheat
# Builds sor, sparse, locks and zstd (from its Debian source package) natively, with ThreadSanitizer and with each
# of the deadheats, into DIRECTORY, and times them in turn. What is there already is not built again.
# The table goes to standard output; ROUNDS=n sets how often each program is timed (7).
set -eu
usage() { echo "usage: run.sh DIRECTORY NAME=DEADHEAT...   (for example kept=build/bin/deadheat)" >&2; exit 2; }
[ $# -ge 2 ] || usage
here=$(cd "$(dirname "$0")" && pwd)
directory=$1
shift
for pair in "$@"; do
    if [ "${pair%%=*}" = "$pair" ] || [ ! -x "${pair#*=}" ]; then usage; fi
done
mkdir -p "$directory"
out=$(cd "$directory" && pwd)
kernels=$here/../kernels
unset DEADHEAT_OPTIONS TSAN_OPTIONS MAKEFLAGS MFLAGS CFLAGS CPPFLAGS LDFLAGS

"$here/../../test/e2e/real/fetch.sh" zstd "$out" || exit
settings='HAVE_THREAD=1 HAVE_ZLIB=0 HAVE_LZMA=0 HAVE_LZ4=0 ZSTD_LEGACY_SUPPORT=0'
flags='-O2 -g -pthread'

build() { # NAME COMPILER
    [ ! -x "$out/zstd.$1" ] || return 0
    echo "building for $1" >&2
    for program in "$kernels/sor" "$kernels/sparse" "$here/locks"; do
        $2 $flags "$program.c" -o "$out/$(basename "$program").$1"
    done
    rm -rf "$out/tree" && cp -r "$out/src/." "$out/tree"
    make -C "$out/tree/programs" -j2 $settings "CC=$2" zstd >"$out/zstd.log" 2>&1 \
        || { tail "$out/zstd.log" >&2; exit 1; }
    if [ ! -s "$out/corpus" ]; then
        make -C "$out/tree/tests" $settings "CC=$2" datagen >>"$out/zstd.log" 2>&1
        "$out/tree/tests/datagen" -s1 -g20000000 -P60 >"$out/corpus"
    fi
    cp -L "$out/tree/programs/zstd" "$out/zstd.$1"
    rm -rf "$out/tree"
}
build native clang-19
build tsan 'clang-19 -fsanitize=thread'
names='native tsan'
for pair in "$@"; do
    name=${pair%%=*} deadheat=${pair#*=}
    build "$name" "$(realpath "$deadheat") cc"
    names="$names $name"
done
clang-19 -O2 "$here/../once.c" -o "$out/once"
cd "$out"
exec python3 "$here/measure.py" --rounds "${ROUNDS:-7}" --names "$names" \
    'sor 2 1000 100' 'sparse 2 50000 100' 'zstd -q -f -T2 -3 corpus -o corpus.zst' 'locks 300000'
