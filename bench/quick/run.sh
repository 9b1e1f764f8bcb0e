#!/bin/sh
# Two kernels, native, with ThreadSanitizer and with deadheat, side by side: run.sh DEADHEAT
#
# The table goes to standard output and, as JSON, to bench/quick.json in the build directory; progress goes
# to standard error. ROUNDS=n sets how often each program is timed (7). Close other programs first: the
# kernels want two processors for themselves.
set -eu
if [ $# -ne 1 ] || [ ! -x "$1" ]; then
    echo "usage: run.sh DEADHEAT   (the command, for example build/bin/deadheat)" >&2
    exit 2
fi
deadheat=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$(dirname "$deadheat")")/bench
clang=$("$deadheat" --version | sed -n 's/^clang: *//p')
clang=${clang:-clang-19}
mkdir -p "$out"

# The same flags for all three, and no more than a user would give.
flags='-O2 -g -pthread'
for kernel in sor sparse; do
    echo "building $kernel" >&2
    "$clang" $flags "$here/$kernel.c" -o "$out/$kernel.native"
    "$clang" $flags -fsanitize=thread "$here/$kernel.c" -o "$out/$kernel.tsan"
    "$deadheat" cc $flags "$here/$kernel.c" -o "$out/$kernel.deadheat"
done
"$clang" -O2 "$here/once.c" -o "$out/once"
# The kernels and their arguments: iterations that take a native run about a tenth of a second.
exec python3 "$here/measure.py" --rounds "${ROUNDS:-7}" --once "$out/once" --json "$out/quick.json" \
    "$out/sor 200" "$out/sparse 300"
