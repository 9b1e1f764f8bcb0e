#!/bin/sh
# A missing part is named, in one line.
. "$(dirname "$0")/lib.sh"

mkdir -p copy/bin copy/lib/deadheat copy/include
home=$(dirname "$DEADHEAT")/..
cp "$DEADHEAT" copy/bin/
restore() {
    ln -sf "$home"/lib/deadheat/libdeadheat* copy/lib/deadheat/
    rmdir copy/include 2>/dev/null
    ln -sfn "$home/include" copy/include
}
restore
check "a copy works elsewhere" copy/bin/deadheat cc norace.c -o norace
check "through a symbolic link too" sh -c 'ln -s copy/bin/deadheat deadheat-cc && ./deadheat-cc -c norace.c'
check_norace ./norace

for part in libdeadheat-plugin.so libdeadheat.a libdeadheat.syms; do
    rm copy/lib/deadheat/$part
    check_fails "without $part" 2 "missing: .*/copy/lib/deadheat/$part: No such file" \
        copy/bin/deadheat cc norace.c -o norace
    restore
done
rm copy/lib/deadheat/libdeadheat.a copy/lib/deadheat/libdeadheat.so
check "compiling needs no runtime" copy/bin/deadheat cc -c norace.c
check_fails "the shared runtime" 2 "missing: .*libdeadheat.so" \
    copy/bin/deadheat cc -shared-libdeadheat norace.o -o norace
rm copy/include
check_fails "without headers" 2 "missing: .*/copy/include" copy/bin/deadheat cc -c norace.c
finish
