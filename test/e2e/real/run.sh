#!/bin/sh
# Real programs under the detector, one after the other: run.sh DEADHEAT DIRECTORY [NAME...]
#
# Prints a table at the end. A program whose source cannot be fetched has a row that says so; the rest runs.
# Exits with 1 if any fails.
set -u
here=$(cd "$(dirname "$0")" && pwd)
deadheat=$1 directory=$2
shift 2
[ $# -gt 0 ] || set -- zstd xz lmdb sqlite3 memcached redis curl
mkdir -p "$directory" || exit 1
table=$directory/table
printf 'program\tversion\ttests passed\traces reported\tknown\ttime\t\n' >"$table"
failed=0 done=0
for name; do
    echo "[$((done += 1)) of $#] $name"
    : >"$directory/$name.out"
    "$here/$name.sh" "$deadheat" "$directory" >"$directory/$name.out" 2>&1 &
    script=$!
    tail -f -n +1 --pid=$script "$directory/$name.out"
    wait $script
    status=$?
    [ $status = 0 ] || [ $status = 77 ] || failed=1
    if [ -f "$directory/$name.e2e/result" ]; then
        cat "$directory/$name.e2e/result" >>"$table"
    else
        printf '%s\t-\t-\t-\t-\t-\t%s\n' "$name" "$(tail -n 1 "$directory/$name.out")" >>"$table"
    fi
done
echo
awk -F '\t' '{ printf "%-10s %-19s %-12s  %-14s  %-5s  %-7s  %s\n", $1, $2, $3, $4, $5, $6, $7 }' "$table"
exit $failed
