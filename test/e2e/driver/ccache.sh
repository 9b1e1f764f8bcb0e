#!/bin/sh
# ccache in front: hits the second time, and never confuses plain objects, other detectors or another plugin.
. "$(dirname "$0")/lib.sh"
command -v ccache >/dev/null || { echo "ccache is not installed"; exit 77; }
export CCACHE_DIR="$work/cache"
unset CCACHE_COMPILERTYPE CCACHE_COMPILERCHECK CCACHE_PREFIX CCACHE_SLOPPINESS CCACHE_DISABLE

# statistic NAME: ccache's counter since the last call of zero.
statistic() { ccache --print-stats | awk -v name="$1" '$1 == name { print $2 }'; }
zero() { ccache -z >/dev/null; }
expect() {
    [ "$(statistic "$2")" = "$3" ] || fail "$1: $2 is $(statistic "$2"), not $3" "$(ccache --print-stats)"
}

for compiler in deadheat-cc "deadheat cc"; do
    rm -rf cache && zero
    # shellcheck disable=SC2086
    check "first time" ccache $compiler -g -c race.c -o first.o
    expect "$compiler, first time" cache_miss 1
    for dependencies in "" "-MD -MF race.d"; do
        # shellcheck disable=SC2086
        check "fill" ccache $compiler -g $dependencies -c race.c -o first.o
        zero
        rm -f race.d
        # shellcheck disable=SC2086
        check "second time" ccache $compiler -g $dependencies -c race.c -o second.o
        expect "$compiler $dependencies, second time" direct_cache_hit 1
        [ -z "$dependencies" ] || [ -s race.d ] || fail "a hit wrote no dependencies"
    done
    zero
    # shellcheck disable=SC2086
    check "by preprocessed text" env CCACHE_NODIRECT=1 ccache $compiler -g -c race.c -o second.o
    expect "$compiler, preprocessed" preprocessed_cache_hit 1
    cmp first.o second.o || fail "$compiler: what comes from the cache differs"
    check_instrumented second.o
    check "link" deadheat cc second.o -o race
    check_race ./race

    zero
    check "plain clang" ccache "$clang" -g -c race.c -o plain.o
    expect "plain clang after $compiler" cache_miss 1
    cmp -s first.o plain.o && fail "$compiler and clang made the same object"
    zero
    # shellcheck disable=SC2086
    check "our option" ccache $compiler --detector=fasttrack -g -c race.c -o other.o
    expect "$compiler with a detector" cache_miss 1
done

# The command changes with the plugin: its hash is inside.
plugin=$(dirname "$DEADHEAT")/../lib/deadheat/libdeadheat-plugin.so
deadheat --version | grep -q "$(sha256sum "$plugin" | cut -c1-16)" \
    || fail "the command does not hold the hash of the plugin beside it"
finish
