#!/bin/sh
# An installation works from where it is put: `install.sh BUILD`, with DESTDIR and a prefix.
. "$(dirname "$0")/lib.sh"
build=${1:?the build directory}

DESTDIR=$work/stage cmake --install "$build" --prefix /opt/dh >log 2>&1 || fail "install" "$(cat log)"
home=$work/stage/opt/dh
for file in bin/deadheat bin/deadheat-cc bin/deadheat-c++ include/deadheat.h share/man/man1/deadheat.1 \
    lib/deadheat/libdeadheat-plugin.so lib/deadheat/libdeadheat.a lib/deadheat/libdeadheat.so \
    lib/deadheat/libdeadheat.syms; do
    [ -e "$home/$file" ] || fail "not installed: $file" "$(cd "$work/stage" && find . -type f)"
done
strays=$(cd "$work/stage" && find . -type f ! -path './opt/dh/*')
[ -z "$strays" ] || fail "installed outside the prefix" "$strays"
DESTDIR=$work/stage cmake --install "$build" --prefix /opt/dh >log 2>&1 || fail "install again" "$(cat log)"

mv "$work/stage/opt/dh" "$work/moved"
"$work/moved/bin/deadheat" cc '-###' race.c 2>&1 | tr '" ' '[\n*]' | grep '/lib/deadheat/' \
    | grep -v "^[^/]*$work/moved/" && fail "a part comes from elsewhere"
check "compile with it" "$work/moved/bin/deadheat" cc race.c -o race
check_race ./race
check "by its alias" "$work/moved/bin/deadheat-cc" -shared-libdeadheat norace.c -o norace
check_norace ./norace
finish
