# What the scripts for real programs share. A script is called as SCRIPT DEADHEAT DIRECTORY, sources this
# file, calls `begin`, defines two functions, and ends with `finish`:
#
#   build_it TREE COMPILER   builds the program in the directory TREE, which is empty before
#   test_it TREE             runs its tests there; a line for each on standard output, beginning with
#                            "ok" or "not ok". What stands behind must not depend on the run.
#
# Both are done with plain clang and with deadheat, and the lines must be the same, all of them "ok".
# Whatever is reported meanwhile is a race that is not in known/NAME: a failure, too. docs/real-programs.md
# has the known ones.
#
# DIRECTORY/PACKAGE/src keeps the sources, DIRECTORY/NAME.e2e the builds. The plain build and its results are
# kept as long as the script and the source stay as they are, the other as long as Deadheat does, too.
# DIRECTORY/NAME.e2e/result is a line for the table that run.sh prints. Exits with 77 if a source cannot be
# fetched.
set -u
deadheat=$(realpath "$1") root=$2
here=$(cd "$(dirname "$0")" && pwd)
unset DEADHEAT_OPTIONS MAKEFLAGS MFLAGS CFLAGS CPPFLAGS LDFLAGS
export LC_ALL=C
began=$(date +%s)

# For autotools: Debian's patches may make their files look older than what they are made from.
as_it_is='AUTOMAKE=: ACLOCAL=: AUTOCONF=: AUTOHEADER=:'

say() { echo "$name: $*"; }
die() {
    say "FAILED: $1"
    [ $# -lt 2 ] || tail -n 40 "$2" | cut -c1-300
    exit 1
}

# begin NAME PACKAGE...: fetches the packages. The first is the program, the others are built with it.
begin() {
    name=$1
    shift
    mkdir -p "$root/$name.e2e" && root=$(realpath "$root") && work=$root/$name.e2e || exit 1
    rm -f "$work/result"
    for package; do
        mkdir -p "$root/$package"
        "$here/fetch.sh" "$package" "$root/$package" || exit
    done
    src=$root/$1/src
    version=$(sed -n '1s/.*(\(.*\)).*/\1/p' "$src/debian/changelog")
    identity=$(cat "$0" "$here/lib.sh" "$src/debian/changelog" | cksum)
    cd "$work" || exit 1
}

# passes NAME COMMAND...: a test that is a command; it must succeed.
passes() {
    test_name=$1
    shift
    if timeout 600 "$@" >>"$log" 2>&1; then echo "ok $test_name"; else echo "not ok $test_name"; fi
}

build() { # plain or checked, the compiler, what it is made from
    if [ "$(cat "$1.stamp" 2>/dev/null)" = "$3" ]; then return; fi
    rm -rf "$1" "$1.stamp" "$1.results"
    mkdir "$1" || exit 1
    say "building version $version, $1"
    (build_it "$work/$1" "$2") >"$1.build.log" 2>&1 || die "does not build with $2" "$1.build.log"
    echo "$3" >"$1.stamp"
}

run_tests() { # plain or checked
    log=$work/$1.log
    : >"$log"
    say "testing, $1"
    test_it "$work/$1" >"$1.running"
    mv "$1.running" "$1.results"
}

finish() {
    parts=$(dirname "$(dirname "$deadheat")")/lib/deadheat
    build plain clang-19 "$identity"
    build checked "$deadheat cc" "$identity $(cat "$deadheat" "$parts"/* | cksum)"
    [ -s plain.results ] || run_tests plain
    rm -rf races && mkdir races && chmod 777 races # a server may give up being root
    # What is known is recognised by either side of a race, so both should be on record.
    options=log_path=$work/races/race:exitcode=0:color=never:history_size=7
    [ ! -f "$here/known/$name" ] || options=$options:suppressions=$here/known/$name
    export DEADHEAT_OPTIONS="$options"
    run_tests checked
    unset DEADHEAT_OPTIONS

    passed=$(grep -c '^ok ' checked.results) run=$(grep -c . checked.results)
    reported=$(python3 -B "$here/races.py" races/* | tee races.txt | grep -c '^race ')
    known=$(grep -cv '^ *\(#\|$\)' "$here/known/$name" 2>/dev/null || true)
    verdict=passed
    [ "$run" -gt 0 ] || verdict='FAILED: no test has run'
    [ "$passed" = "$run" ] || verdict="FAILED: $((run - passed)) tests fail"
    cmp -s plain.results checked.results || verdict='FAILED: not the results of the plain build'
    [ "$reported" = 0 ] || verdict="FAILED: $reported races that are not known"
    printf '%s\t%s\t%s/%s\t%s\t%s\t%s s\t%s\n' "$name" "$version" "$passed" "$run" "$reported" "${known:-0}" \
        $(($(date +%s) - began)) "$verdict" >result
    say "$passed of $run tests passed, $reported races reported, ${known:-0} known: $verdict"
    [ "$verdict" = passed ] && exit 0
    diff plain.results checked.results | head -n 20 | cut -c1-300
    head -n 40 races.txt
    say "see $work/checked.log and $work/races"
    exit 1
}
