#!/bin/sh
# src/driver/separate.def against the clang that is installed: `separate_options.sh TABLE`.
. "$(dirname "$0")/lib.sh"
table=${1:?src/driver/separate.def}
sed -n 's/^DH_SEPARATE("\(.*\)", \([0-9]\))$/\1 \2/p' "$table" >known
[ "$(wc -l <known)" -gt 100 ] || fail "the table could not be read"
sort -c -k1,1 known 2>err || fail "the table is not sorted" "$(cat err)"

# clang on an option that stands last: how many values it misses, or nothing.
misses() {
    "$clang" '-###' "$1" 2>&1 \
        | sed -n "s/.*error: argument to '.*' is missing (expected \([0-9]\) values*)$/\1/p"
}

while read -r option values; do
    [ "$(misses "$option")" = "$values" ] || fail "$option takes '$(misses "$option")' values, not $values"
done <known

# Every option that clang's help shows with a value after a space.
"$clang" --help-hidden | sed -n 's/^  \(--*[^ <=,]*\) <.*/\1/p' | sort -u >shown
[ "$(wc -l <shown)" -gt 50 ] || fail "clang's help could not be read"
while read -r option; do
    grep -q -- "^$option " known || [ -z "$(misses "$option")" ] || fail "$option is not in the table"
done <shown
finish
