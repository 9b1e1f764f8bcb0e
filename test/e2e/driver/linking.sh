#!/bin/sh
# The runtime is in executables once, not in shared libraries nor object files; and the exceptions.
. "$(dirname "$0")/lib.sh"

# How often the runtime is on the linker's command line.
runtimes() { link_line "$@" | grep -c 'libdeadheat\.a$'; }
[ "$(runtimes cc race.c)" = 1 ] || fail "an executable has the runtime once"
[ "$(runtimes cc -shared -fPIC race.c)" = 0 ] || fail "a shared library has no runtime"
[ "$(runtimes cc -r race.o)" = 0 ] || fail "an object file has no runtime"
[ "$(runtimes cc -nostdlib -Wl,-r race.o)" = 0 ] || fail "an object file by -Wl,-r has no runtime"
[ "$(runtimes cc -o -shared race.c)" = 1 ] || fail "a file called -shared is not the option"
[ "$(runtimes cc -nostdlib race.c -lc)" = 1 ] || fail "-nostdlib keeps the runtime"
[ "$(runtimes cc -x none race.o)" = 1 ] || fail "objects only: the runtime is linked"
for stop in -c -S -E -M -MM -fsyntax-only -emit-ast --analyze --precompile; do
    [ "$(runtimes cc $stop race.c)" = 0 ] || fail "$stop links"
done
link_line cc race.c | sed -n '/libdeadheat.a/,$p' | grep -q '\.o$' \
    || fail "the runtime does not come before the program's objects"

# A program whose race is in its shared library.
sed '/^int main/,$d; s/static //' race.c >lib.c
sed '/^long/d; s/^static void \*add.*/void *add(void *);/' race.c >main.c
check "shared library" deadheat cc -shared -fPIC lib.c -o librace.so
nm -D librace.so | grep -q ' U __dh_' || fail "the library does not leave the runtime's symbols open"
check "program with shared library" deadheat cc main.c -L. -lrace -Wl,-rpath,"$work" -o race
check_race ./race
check "-r" deadheat cc -r lib.c -o part.o
check_instrumented part.o
check "object from -r" deadheat cc main.c part.o -o race
check_race ./race

for defs in -Wl,-z,defs -Wl,--no-undefined "-z defs" "-Xlinker -z -Xlinker defs" -Wl,-zdefs; do
    for linker in bfd lld; do
        # shellcheck disable=SC2086
        check "shared library with $defs, $linker" deadheat cc -fuse-ld=$linker -shared -fPIC $defs lib.c \
            -o librace.so
    done
done
check "-z defs, options ended by --" deadheat cc -shared -fPIC -Wl,-z,defs -o librace.so -- lib.c
check_race ./race
link_line cc -Wl,-z,defs race.c | grep -qx undefs && fail "an executable may not have open symbols"

check "dlopen" sh -c '
    echo "#include <dlfcn.h>
    int main(void) { return !dlopen(\"./librace.so\", RTLD_NOW); }" >open.c
    deadheat cc open.c -o open && ./open'

check "-shared-libdeadheat" deadheat cc -shared-libdeadheat race.c -o race
readelf -d race | grep -q 'NEEDED.*libdeadheat.so' || fail "the shared runtime is not needed"
check_race ./race
check "a plugin" deadheat cc -shared-libdeadheat -shared -fPIC -Wl,-z,defs lib.c -o librace.so
readelf -d librace.so | grep -q 'NEEDED.*libdeadheat.so' || fail "a plugin does not bring the runtime"

check "usual linker options" deadheat cc -Wl,--gc-sections -Wl,--as-needed -Wl,-z,now -Wl,-z,relro race.c -o race
check_race ./race
check "lld" deadheat cc -fuse-ld=lld race.c -o race
check_race ./race
check "gold" sh -c 'command -v ld.gold >/dev/null || exit 0; deadheat cc -fuse-ld=gold race.c -o race'
check_race ./race
finish
