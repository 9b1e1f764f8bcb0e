#!/bin/sh
# Lists the functions of libc that the runtime stands in front of, by family: a page of the manual, made from what
# was compiled.
#
#   intercepted.sh NM SOURCE_DIRECTORY OBJECT...
#
# Of the objects those count whose source is in the directory `intercept`; a family's title is the first sentence of
# its source.
set -eu
nm=$1 sources=$2
shift 2

# What the first comment of a source says, up to its first full stop or colon.
title() {
    sed -n '1,/\*\//{s@^/\* @@; s@^ \*/*@@; s@\*/@@; p;}' "$1" | tr '\n' ' ' |
        sed 's/  */ /g; s/^ //; s/\([.:;(]\).*/\1/; s/[.:;(, ]*$//'
}

cat <<'HEAD'
# What is intercepted

The functions that the runtime stands in front of, made from its sources when it is built (`scripts/intercepted.sh`).
What they order is in [happens-before.md](happens-before.md). The others check the memory that their arguments
name; a function that is not here is called as it always was, and what it does to memory is not seen. Only libc and libm
are stood in front of: libcrypt, libresolv and all others are libraries like any, to be built with Deadheat if need be.

| family | source | functions |
|---|---|---|
HEAD
for object in "$@"; do
    case $object in */intercept/*) ;; *) continue ;; esac
    name=$(basename "$object" .o)
    names=$("$nm" --defined-only --extern-only --demangle --format=just-symbols "$object" |
        grep -v '^_*dh_' | LC_ALL=C sort -u | sed 's/.*/`&`/' | paste -sd, | sed 's/,`/, `/g')
    [ -z "$names" ] || printf '| %s | `%s` | %s |\n' "$(title "$sources/$name")" "$name" "$names"
done | LC_ALL=C sort
