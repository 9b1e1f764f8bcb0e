#!/bin/sh
# shellcheck disable=SC2015,SC2086
# The questions that an Autoconf configure script asks of $CC, in the way it asks them.
. "$(dirname "$0")/lib.sh"

for CC in "deadheat cc" deadheat-cc "ccache deadheat-cc"; do
    rm -rf build && mkdir build && cd build || exit 1
    CFLAGS="-g -O2"
    export CCACHE_DIR="$work/ccache"

    # "checking whether the C compiler works", and the default output's name
    echo 'int main (void) { return 0; }' >conftest.c
    $CC $CFLAGS conftest.c >conftest.out 2>conftest.err || fail "$CC: does not work" "$(cat conftest.err)"
    [ -f a.out ] || fail "$CC: the default output is not a.out"
    ./a.out || fail "$CC: cannot run compiled programs"

    # "checking for suffix of object files", "whether we are using the GNU C compiler", "accepts -g"
    rm -f a.out conftest.o
    $CC -c $CFLAGS conftest.c 2>conftest.err && [ -f conftest.o ] || fail "$CC: no object file"
    [ ! -s conftest.err ] || fail "$CC: compiling is not silent" "$(cat conftest.err)"
    printf '#ifndef __GNUC__\n choke me\n#endif\nint x;\n' >conftest.c
    $CC -c conftest.c 2>conftest.err || fail "$CC: not taken for a GNU C compiler" "$(cat conftest.err)"

    # "how to run the C preprocessor": $CC -E, which must fail on a missing header
    printf '#include <limits.h>\n Syntax error\n' >conftest.c
    $CC -E conftest.c >conftest.i 2>conftest.err || fail "$CC -E fails" "$(cat conftest.err)"
    [ ! -s conftest.err ] || fail "$CC -E is not silent" "$(cat conftest.err)"
    echo '#include <ac_nonexistent.h>' >conftest.c
    $CC -E conftest.c >conftest.i 2>/dev/null && fail "$CC -E finds what does not exist"

    # A function that exists, and one that does not (links, so the runtime must not define it)
    for pair in pthread_create:0 strlcpyx_nonexistent:1; do
        name=${pair%:*} wanted=${pair#*:}
        printf 'char %s (void);\nint main (void) { return %s (); }\n' "$name" "$name" >conftest.c
        $CC -w conftest.c -o conftest -lm >conftest.err 2>&1
        [ $? -eq "$wanted" ] || fail "$CC: judges wrongly whether $name exists" "$(cat conftest.err)"
    done

    # "checking dependency style": both files from one command
    echo 'int y;' >conftest.c
    mkdir -p sub
    $CC -MT sub/conftest.o -MD -MP -MF sub/conftest.TPo -c -o sub/conftest.o conftest.c 2>conftest.err \
        || fail "$CC: -MD" "$(cat conftest.err)"
    [ -s sub/conftest.TPo ] || fail "$CC: no dependencies"

    # Libtool: "if $CC supports -fPIC -DPIC" wants no output at all; then a shared library
    echo 'int some_variable = 0;' >conftest.c
    $CC -c $CFLAGS -fPIC -DPIC conftest.c >conftest.out 2>&1
    [ ! -s conftest.out ] || fail "$CC -fPIC is not silent" "$(cat conftest.out)"
    $CC -shared -fPIC -DPIC conftest.o -Wl,-soname -Wl,libconf.so -o libconf.so >conftest.out 2>&1 \
        || fail "$CC -shared" "$(cat conftest.out)"
    $CC -print-search-dirs | grep -q ^libraries || fail "$CC -print-search-dirs"
    $CC -print-prog-name=ld | grep -q ld || fail "$CC -print-prog-name=ld"
    $CC -v >/dev/null 2>&1 || fail "$CC -v"
    for question in -V -qversion; do
        $CC $question >/dev/null 2>&1 && fail "$CC $question should be an error, as clang's"
    done

    # What `make` then does
    cp ../race.c .
    $CC $CFLAGS -c race.c 2>conftest.err && $CC $CFLAGS -o race race.o -lpthread 2>>conftest.err \
        || fail "$CC: builds no program" "$(cat conftest.err)"
    check_race ./race
    cd ..
done
finish
