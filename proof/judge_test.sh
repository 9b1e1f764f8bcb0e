#!/bin/sh
# The judge reads the text form of traces, and says what it cannot read.
set -eu
cd "$(dirname "$0")"
fail() { echo "judge_test: $1"; exit 1; }

# says DETECTOR ANSWER LINE...
says() {
    detector=$1 answer=$2
    shift 2
    said=$({ echo 'deadheat trace 1'; printf '%s\n' "$@"; } | ./judge "$detector" 2>&1) || true
    [ "$said" = "$answer" ] || fail "$detector says \"$said\" instead of \"$answer\" of: $*"
}

for all in atomics full multijoin entries; do
    says $all '2:0x12,0x13' '0 fork 1 @3' '0 write 0x10 4' '1 read 0x12 4 # overlaps' 'site 3 a.c:1 # f'
    says $all '' '0 fork 1' '0 acquire 7' '0 write 1 1' '0 release 7' '1 rdacquire 7' '1 read 1 1'
    says $all '5:0x1' '0 fork 1' '0 rdacquire 7' '0 write 1 1' '0 rdrelease 7' '1 rdacquire 7' '1 read 1 1'
    says $all '3:0x8' '0 fork 1' '0 alloc 8 8' '0 free 8 8' '1 write 8 1' '1 alloc 8 1' '1 read 8 1' '1 check write 9 1'
    says $all '' '0 fork 1' '1 write 1 1' '1 exit' '0 join 1' '0 write 1 1' '0 race 1 1'
done
says vectorclock '1 2' '0 write 1 1' '1 write 1 1' '0 write 1 1'
says fasttrack '1' '0 write 1 1' '1 write 1 1' '0 write 1 1'
says atomics '' '0 write 1 1' '0 store 8 4 release' '1 load 10 2 acquire' '1 write 1 1'
says atomics '3:0x1' '0 write 1 1' '0 store 8 4 release' '1 load 12 2 acquire' '1 write 1 1'
says atomics '' '0 write 1 1' '0 fence release' '0 rmw 8 4 relaxed' '1 compare 8 4 relaxed' '1 fence seq_cst' '1 write 1 1'
says vectorclock 'judge: line 2: vectorclock knows no atomics' '0 load 8 4 acquire'
says atomics 'judge: line 2: not an event the judge knows: frobnicate' '0 frobnicate 1'
says atomics 'judge: line 2: not a memory order: strong' '0 fence strong'
says atomics 'judge: line 2: not a number: 0b1' '0b1 exit'
says atomics 'judge: line 2: 0xffffffffffffffff is more than the judge can hold' '0 read 0xffffffffffffffff 1'
says atomics 'judge: line 2: the judge takes 1 to 1048576 bytes' '0 read 1 0'
[ "$(echo rubbish | ./judge 2>&1)" = 'judge: line 1: not a trace: it does not begin with "deadheat trace 1"' ] || fail rubbish
echo "judge: ok"
