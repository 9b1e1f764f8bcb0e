#!/bin/sh
# Records programs of the other tests as they run, and has the traces judged.
#
#   recorded.sh DEADHEAT JUDGE DIRECTORY [CLANG_FLAG...]
#
# For each program of the directory with a verdict in its name (verdict.sh): recording does not change the
# verdict; in every trace that it leaves, its own and its children's, the bytes that the running detector found
# are those that race by definition (test/oracle/judge.c); and some do exactly if the run said so.
# With --audit among the flags `deadheat replay --audit` has to find nothing wrong, too.
set -u
deadheat=$1 judge=$2 directory=$3
shift 3
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
trace=$scratch/trace
here=$(dirname "$0")/..
failed=0 count=0

directive() { sed -n "s@ *\*/ *\$@@; s@^.*[/*] $1: @@p" "$source"; }
complain() { echo "$source: $1"; shift; cat "$@"; failed=1; }

audited() { case " $flags " in *" --audit "*) return 0 ;; esac; return 1; }
flags="$*"
for source in "$directory"/*_race.c "$directory"/*_norace.c "$directory"/*_race.cpp "$directory"/*_norace.cpp; do
    [ -e "$source" ] || continue
    name=$(basename "$source"); name=${name%.*}
    case $name in
        # A race that is not to be reported is one all the same.
        atomic_quiet_norace) continue ;;
        # It executes itself: those that race have a tape of the same name, one after the other.
        address_space_race) continue ;;
        # It closes all descriptors, the tape's too.
        closefrom_norace) continue ;;
        fn_*_race | *_norace) want=0 ;;
        *_race) want=66 ;;
    esac
    case $name in fp_*) want=66 ;; esac
    # Their handlers release, and some run between a check and its access: no check before an access is proof
    # against that.
    case $name in
        signal_norace | first_thread_norace | gathers_race | gathers_norace) if audited; then continue; fi ;;
    esac
    # The program's own hook releases between a check and the accesses behind it.
    case $name in hook_gaps_race) if audited; then continue; fi ;; esac
    # Hundreds of millions of accesses, one like the other.
    case $name in large_*) if audited; then continue; fi ;; esac
    case $source in *.cpp) verb=c++ ;; *) verb=cc ;; esac
    rm -f "$scratch"/*
    if ! "$deadheat" $verb -O2 "$@" -I"$here" $(directive FLAGS) "$source" -o "$scratch/program" -pthread \
        2>"$scratch/build"; then
        complain "does not build" "$scratch/build"; continue
    fi
    options=$(env -i $(directive ENV) /bin/sh -c 'echo "${DEADHEAT_OPTIONS-}"')
    env $(directive ENV) DEADHEAT_OPTIONS="$options:record=$trace:symbolize=0" \
        timeout 120 "$scratch/program" >"$scratch/out" 2>"$scratch/err"
    got=$?
    count=$((count + 1))
    [ $got = $want ] || complain "recorded, exit status $got, expected $want" "$scratch/err"
    "$judge" $(ls "$trace" "$trace".* 2>/dev/null) >"$scratch/verdict" 2>&1 || complain "judged" "$scratch/verdict"
    found=$(awk '/ racy bytes,/ { n += $4 } END { print n + 0 }' "$scratch/verdict")
    if [ $want = 0 ] && [ "$found" != 0 ]; then complain "races in the trace only" "$scratch/verdict"; fi
    if [ $want = 66 ] && [ "$found" = 0 ]; then complain "no race in the trace" "$scratch/verdict"; fi
    if audited; then
        for t in "$trace" "$trace".*; do
            [ -e "$t" ] || continue
            "$deadheat" replay --audit "$t" >"$scratch/audit" 2>&1
            tail -1 "$scratch/audit" | grep -q ' 0 not covered; .* 0 not legitimate;' \
                || complain "audited" "$scratch/audit"
        done
    fi
done
echo "$count programs recorded and judged"
[ $count != 0 ] && exit $failed
