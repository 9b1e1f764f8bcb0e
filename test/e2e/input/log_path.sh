#!/bin/sh
# log_path: JSON lines beside the text; where they cannot be written one line says so.
. "$(dirname "$0")/lib.sh"

run "log_path=$work/log" ./race
expect "text and log" 66 'WARNING: Deadheat: data race'
ls log.* >/dev/null 2>&1 || fail "there is no log" "$(ls)"
cat >look.py <<'END2'
import json, os, sys
for path in sys.argv[1:]:
    lines = open(path, encoding="utf-8").read().split("\n")
    assert lines[-1] == "" and len(lines) >= 2, "the log does not end with a newline"
    for line in lines[:-1]:
        race = json.loads(line)
        assert race["schema"] == "deadheat-race/1"
        assert path.endswith("." + str(race["pid"]))
        assert len(race["fingerprint"]) == 16 and int(race["fingerprint"], 16) >= 0
        assert race["location"]["name"] == "shared" and race["location"]["memory"] == "global"
        assert race["location"]["size"] == 4 and race["bytes"] == 4
        assert {side["access"] for side in race["sides"]} == {"write"}
        for side in race["sides"]:
            frame = side["stack"]["frames"][0]
            assert frame["function"] == "set" and frame["file"].endswith("race.c") and frame["line"] == 5
            assert side["thread"]["creator"] == 0 and side["thread"]["created"]["frames"]
            assert side["locks"] == []
        assert race["common_locks"] == 0
END2
check "the log is JSON lines, and right" python3 look.py log.*

rm -f log.*
run "log_path=$work/missing/log" ./race
expect "no such directory" 66 'WARNING: Deadheat: data race'
once "no such directory" "^deadheat: log_path: .*/missing/log\.[0-9]+ cannot be written \(.*\): "
ran "no such directory"
run log_path=/dev/full/log ./race
expect "a file for a directory" 66
once "a file for a directory" '^deadheat: log_path: .*cannot be written'
mkdir -p directory
cat >into.sh <<'END2'
mkdir "directory/log.$$"
exec ./race
END2
run log_path=directory/log sh into.sh
expect "a directory for a file" 66
once "a directory for a file" '^deadheat: log_path: .*cannot be written'
run log_path=/dev/shm/../../proc/log ./race
expect "where nobody can write" 66
once "where nobody can write" '^deadheat: log_path: .*cannot be written'

# A child of fork has a log of its own, and races of its own.
cat >forks.c <<'END2'
#include <sys/wait.h>
#include <unistd.h>
#define main run
#include "race.c"
#undef main
int main(void) {
    int status;
    if (fork() == 0) return run();
    wait(&status);
    run();
    return WIFEXITED(status) && WEXITSTATUS(status) == 66 ? 0 : 1;
}
END2
deadheat cc -O1 -pthread forks.c -o forks || exit 1
run log_path=forked ./forks
expect "a program that forks" 66
[ "$(find . -name 'forked.*' | wc -l)" -eq 2 ] || fail "not two logs of two processes" "$(ls; show)"
check "both logs are right" python3 look.py forked.*
finish
