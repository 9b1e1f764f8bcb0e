#!/bin/sh
# Lists the functions that the runtime stands in front of and that no program under test/e2e calls. Succeeds if
# there is none.
#
#   untested.sh CLANG NM INTERCEPTED.MD E2E_DIRECTORY INCLUDE_DIRECTORY
#
# The programs are compiled as their tests would, with plain clang, and their undefined symbols are what they call:
# so names that the C library's headers make of others (of _FORTIFY_SOURCE, say) count. Programs inside scripts are
# only looked at.
set -eu
clang=$1 nm=$2 list=$3 programs=$4 include=$5
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cat >"$scratch/calls" <<'END'
#!/bin/sh
directive() { sed -n "s@ *\*/ *\$@@; s@^.*[/*] $1: @@p" "$source"; }
clang=$1 nm=$2 programs=$3 include=$4 object=$5
shift 5
for source; do
    levels=$(directive LEVELS)
    for level in ${levels:--O0}; do
        "$clang" $level -w -D__DEADHEAT__ -I"$programs" -I"$include" $(directive FLAGS) -c "$source" -o "$object.$$" ||
            exit 255
        "$nm" --undefined-only --demangle --format=just-symbols "$object.$$"
    done
done
END
find "$programs" -name '*_race.c' -o -name '*_norace.c' -o -name '*_race.cpp' -o -name '*_norace.cpp' |
    LC_ALL=C sort | xargs -n 12 -P 2 sh "$scratch/calls" "$clang" "$nm" "$programs" "$include" "$scratch/object" >"$scratch/called"
find "$programs" -name '*.sh' -exec grep -ohE '[A-Za-z_0-9]+\(' {} + | tr -d '(' >>"$scratch/called"
sed 's/@.*//' "$scratch/called" | LC_ALL=C sort -u >"$scratch/all"

sed -n 's/^| [^|]* | `[a-z_]*\.c` | \(.*\) |$/\1/p' "$list" | sed 's/`, `/\n/g; s/`//g' | LC_ALL=C sort -u >"$scratch/names"
LC_ALL=C comm -23 "$scratch/names" "$scratch/all" >"$scratch/missing"
[ -s "$scratch/missing" ] || exit 0
echo "intercepted, and called by no program under $programs:"
cat "$scratch/missing"
exit 1
