#!/bin/sh
# Unpacks the source of a Debian package: fetch.sh PACKAGE DIRECTORY [PART...]
#
# DIRECTORY/src is the source afterwards; if it is there already, nothing happens. With PARTs, files or directories
# of it, these are all that is unpacked, as their authors published them: without Debian's patches. apt-get works with a
# configuration of its own, made from the machine's list of archives with "deb" turned into "deb-src":
# nothing outside DIRECTORY changes, and root is not needed.
# Exits with 77, and one line that says why, if the source cannot be had.
set -eu
package=$1 directory=$2
shift 2
[ ! -d "$directory/src" ] || exit 0

skip() { echo "SKIPPED: the source of $package cannot be fetched: $1"; exit 77; }
command -v apt-get >/dev/null || skip "there is no apt-get"
command -v dpkg-source >/dev/null || skip "there is no dpkg-source (package dpkg-dev)"

apt=$directory/apt
rm -rf "$apt" "$directory/unpack"
mkdir -p "$apt/parts" "$apt/lists/partial" "$apt/cache/archives/partial" "$directory/unpack"
directory=$(realpath "$directory") apt=$(realpath "$apt")
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -f "$list" ] || continue
    sed -n 's/^deb /deb-src /p' "$list" >"$apt/parts/$(basename "$list" .list).list"
done
for list in /etc/apt/sources.list.d/*.sources; do
    [ -f "$list" ] || continue
    sed 's/^Types:.*/Types: deb-src/' "$list" >"$apt/parts/$(basename "$list")"
done

get() {
    apt-get -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$apt/parts" \
        -o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User="$(id -un)" \
        -o Acquire::Retries=2 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 "$@"
}
cd "$directory/unpack"
# update fails if any of several archives does; what counts is whether the source comes.
get update >"$apt/log" 2>&1 || true
how=
[ $# = 0 ] || how=--download-only
if ! get source $how "$package" >>"$apt/log" 2>&1; then
    why=$(grep -E '^[EW]: ' "$apt/log" || tail -n 1 "$apt/log")
    skip "$(echo "$why" | grep -m 1 'Failed to fetch' || echo "$why" | tail -n 1)"
fi
if [ $# -gt 0 ]; then
    mkdir src
    for part; do set -- "$@" "*/$part"; shift; done
    tar -xf ./*.orig.tar.* -C src --strip-components=1 --wildcards "$@" || skip "a part of it is not in the package"
fi
set -- */
if [ $# -ne 1 ] || [ ! -d "$1" ]; then skip "apt-get source has left no source behind"; fi
mv "$1" "$directory/src"
rm -rf "$apt" "$directory/unpack"
