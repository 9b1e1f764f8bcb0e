#!/bin/sh
# `deadheat replay` as a user sees it. Usage: replay.sh DEADHEAT
set -u
deadheat=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

# expect STATUS TEXT... -- ARGUMENT...: replay exits so, and prints all the texts; "!" before one: not it.
expect() {
    status=$1
    shift
    : >texts
    while [ "$1" != -- ]; do
        printf '%s\n' "$1" >>texts
        shift
    done
    shift
    "$deadheat" replay "$@" >out 2>&1
    got=$?
    wrong=
    [ "$got" = "$status" ] || wrong="exit status $got, not $status"
    while IFS= read -r text; do
        case $text in
        !*) grep -qF -e "${text#!}" out && wrong="$wrong; prints '${text#!}'" ;;
        *) grep -qF -e "$text" out || wrong="$wrong; does not print '$text'" ;;
        esac
    done <texts
    if [ -n "$wrong" ]; then
        echo "replay $*: $wrong"
        sed 's/^/    /' out
        failures=$((failures + 1))
    fi
}

trace() {
    { echo "deadheat trace 1"; cat; } >"$1"
}

trace racy <<'EOF'
site 3 counter.c:12 increment
site 4 counter.c:20 main
0 fork 1
0 fork 2
1 write 0x1000 8 @3
2 read 0x1004 4 @4
2 read 0x1004 4 @4
1 acquire 1
1 write 0x2000 4
1 release 1
2 acquire 1
2 write 0x2000 4
2 release 1
EOF
trace quiet <<'EOF'
0 write 0x1000 8
0 fork 1
1 write 0x1000 8
1 exit
0 join 1
0 read 0x1000 8
EOF

expect 0 "quiet: 6 events, 2 threads" "fasttrack: no race" -- quiet
expect 1 "race on 4 bytes at 0x1004" \
    "later:   read of 4 bytes at 0x1004 by thread 2, event 3, at counter.c:20 main" \
    "earlier: write of 8 bytes at 0x1000 by thread 1, event 2, at counter.c:12 increment" \
    "fasttrack: 1 race on 4 bytes, 1 finding" "!0x2000" -- racy
expect 1 "2 times like this" "vectorclock: 1 race on 4 bytes, 2 findings" -- --detector=vectorclock racy
expect 1 "quiet: 6 events" "racy: 11 events" -- quiet racy
for name in definition vectorclock multijoin djit fasttrack; do
    expect 1 "$name: 1 race on 4 bytes" -- --detector=$name racy
    expect 0 "$name: no race" -- --detector=$name quiet
done

# Eraser knows nothing of joins, and says so.
expect 0 "definition: no race" "fasttrack: no race" "eraser: 1 race on 8 bytes, 1 finding (not precise)" \
    "eraser differs from definition: finds 8 bytes (0x1000+8) more, misses 0 bytes" -- --all quiet
expect 1 "earlier: write of 8 bytes at 0x1000 by thread 0, event 0" -- --detector=eraser quiet

# What the run reported, and what it should have.
{ cat racy; echo "2 race 0x1004 4"; } >live
expect 1 "the run reported the same bytes" "!DISAGREES" -- live
{ cat racy; echo "2 race 0x1000 6"; } >wrong
expect 1 "the run DISAGREES with fasttrack: it reported 4 bytes (0x1000+4) that do not race, and did not report 2 bytes (0x1006+2) that do" -- wrong
{ cat quiet; echo "0 race 0x1000 1"; } >invented
expect 1 "DISAGREES" -- invented

# Audit.
trace audited <<'EOF'
site 7 a.c:7 f
0 check write 0x10 8
0 write 0x10 8 @7
0 read 0x10 4
EOF
expect 0 "audit: 2 accesses, 0 not covered; 1 checks, 0 not legitimate; pending at the end: 0 accesses, 0 checks" -- --audit audited
{ cat audited; printf '0 signal 1\n0 write 0x10 8 @7\n0 wait 1\n0 check read 0x30 1\n0 wait 1\n0 read 0x40 1\n'; } >flawed
expect 1 "not covered by a check: 8 bytes at 0x10" "the write of 8 bytes at 0x10 by thread 0, event 4, at a.c:7 f" \
    "not legitimate: 1 byte at 0x30" "4 accesses" "pending at the end: 1 accesses, 0 checks" "!0x40" \
    -- --audit flawed
expect 1 "the trace has no checks" -- --audit quiet

# Forms.
printf 'T1|w(x)|1\nT2|r(x)|2\n' >std
expect 1 "race on 8 bytes" -- std
if ! "$deadheat" replay --format=json --all --audit racy live | python3 -c '
import json, sys
traces = json.load(sys.stdin)["traces"]
assert [t["trace"] for t in traces] == ["racy", "live"]
racy, live = traces
names = [d["name"] for d in racy["detectors"]]
assert names == ["definition", "vectorclock", "multijoin", "djit", "fasttrack", "eraser"], names
for d in racy["detectors"][:5]:
    assert d["verdict"] == "races" and d["precise"], d
    assert d["racy"] == {"bytes": 4, "ranges": [{"address": "0x1004", "size": 4}], "complete": True}, d
    assert d["races"][0]["first"]["place"] == "counter.c:12 increment", d
    assert d["races"][0]["second"]["thread"] == 2, d
assert live["live"]["agrees"] and not racy["live"]["agrees"]
assert racy["audit"]["checks"] == 0 and racy["audit"]["uncovered"] > 0
'; then
    echo "the JSON is not as documented"
    failures=$((failures + 1))
fi

# Bad input: one line, status 2, and nothing of an answer.
trace broken <<'EOF'
0 write 0x1000 8
1 read 0x1000 8
EOF
expect 2 "broken:3: " "!race on" "!fasttrack:" -- racy broken
expect 2 "broken:3: " "!{" -- --format=json racy broken
expect 2 "nowhere: No such file" -- nowhere
expect 2 "no trace to judge" --
expect 2 "did you mean 'fasttrack'?" -- --detector=fasttrak racy
expect 2 "did you mean '--audit'?" -- --audt racy
expect 2 "unknown format 'xml'" -- --format=xml racy
[ "$(wc -l <out)" = 1 ] || { echo "more than a line"; failures=$((failures + 1)); }
"$deadheat" replay quiet >/dev/full 2>out
[ $? = 2 ] || { echo "a full disk is no success"; failures=$((failures + 1)); }

exit $((failures > 0))
