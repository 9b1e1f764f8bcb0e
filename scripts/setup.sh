#!/bin/sh
# Installs the Debian packages in packages.txt that are missing. Does nothing, quickly, when all are there.
set -eu
here=$(dirname "$0")
wanted=$(sed -n 's/^\([a-z0-9][a-z0-9.+-]*\).*/\1/p' "$here/packages.txt")
missing=
for package in $wanted; do
    status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
    [ "$status" = "install ok installed" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "deadheat: these Debian packages are needed, and there is no apt-get to install them:$missing" >&2
    exit 1
fi
sudo=
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "deadheat: install these packages as root:$missing" >&2
        exit 1
    fi
    sudo=sudo
fi
echo "Installing:$missing"
$sudo env DEBIAN_FRONTEND=noninteractive apt-get update -qq
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
