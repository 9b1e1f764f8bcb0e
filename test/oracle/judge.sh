#!/bin/sh
# The judge of recorded runs, on traces written by hand: judge.sh JUDGE
judge=$1
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0

# wants STATUS WHAT: of the trace on standard input.
wants() {
    { echo 'deadheat trace 1'; cat; } >"$scratch/trace"
    "$judge" "$scratch/trace" >"$scratch/out" 2>&1
    status=$?
    [ $status -eq "$1" ] && return
    echo "$2: status $status, not $1"
    cat "$scratch/out"
    failed=1
}

wants 0 "nothing to find, nothing found" <<END
0 fork 1
0 write 0x1000 4
1 write 0x1004 4
END
wants 0 "a race that was found" <<END
0 fork 1
0 write 0x1000 4
1 read 0x1002 4
1 race 0x1002 2
END
wants 1 "a race that was missed" <<END
0 fork 1
0 write 0x1000 4
1 read 0x1002 4
END
wants 1 "a byte that was missed" <<END
0 fork 1
0 write 0x1000 4
1 read 0x1002 4
1 race 0x1002 1
END
wants 1 "a byte too many" <<END
0 fork 1
0 write 0x1000 4
1 read 0x1002 4
1 race 0x1002 3
END
wants 1 "a race that is none" <<END
0 fork 1
1 write 0x1000 4
1 exit
0 join 1
0 read 0x1000 4
0 race 0x1000 4
END
wants 1 "a race with a byte of another life" <<END
0 fork 1
0 write 0x1000 4
1 write 0x1000 4
1 alloc 0x1000 4
1 race 0x1000 4
END
wants 0 "each life for itself" <<END
0 fork 1
0 write 0x1000 4
1 write 0x1000 4
1 race 0x1000 4
1 alloc 0x1000 4
0 read 0x1000 4
0 race 0x1000 4
END
wants 2 "what cannot happen" <<END
1 write 0x1000 4
END
exit $failed
