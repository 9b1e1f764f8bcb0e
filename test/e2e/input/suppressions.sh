#!/bin/sh
# Suppressions: what they hide is counted, and a file that does not parse hides nothing.
. "$(dirname "$0")/lib.sh"

# hidden LINE: it suppresses the race.
hidden() {
    printf '%s\n' "$1" >list
    run suppressions=list ./race
    expect "'$1' suppresses" 0 '!WARNING' '^deadheat: 0 races reported \(0 occurrences\); 1 suppressed \(1 occurrence\)$'
    ran "'$1'"
}
# shown LINE: it does not.
shown() {
    printf '%s\n' "$1" >list
    run suppressions=list ./race
    expect "'$1' does not suppress" 66 'WARNING: Deadheat: data race' '!suppressed'
}
hidden 'race:set'
hidden 'race:^set$'
hidden 'race:s*t'
hidden 'race:race.c'
hidden 'race:shared'
hidden 'race_top:set'
hidden 'called_from_lib:race'
hidden '  race:set	'
hidden '# a comment

race:nothing_of_this_name
race:set'
printf 'race:set\r\n' >list
run suppressions=list ./race
expect "lines that end as on Windows" 0 '!WARNING'
printf 'race:set' >list
run suppressions=list ./race
expect "a last line without an end" 0 '!WARNING'
shown 'race:se$'
shown 'race:main_'
shown 'race_top:main'
shown 'called_from_lib:libc'
shown 'thread:set'
shown '# race:set'
shown ''

printf 'race:other\nrace:set\n' >list
run suppressions=list:verbosity=1 ./race
expect "counts by line" 0 '^deadheat: 1 suppressed by list:2: race:set$'

# broken LINE NUMBER PATTERN: one message, and nothing is suppressed.
broken() {
    printf '%s\n' "$1" >list
    run suppressions=list ./race
    expect "'$1' does not parse" 66 'WARNING: Deadheat: data race'
    once "'$1'" "^deadheat: list:$2: .*$3"
    ran "'$1'"
}
broken 'set' 1 'kind:pattern'
broken 'race:set
rase:set' 2 'unknown kind'
broken 'race:' 1 'empty'
broken 'race:set
#
 :x' 3 'unknown kind'
run suppressions=nowhere ./race
expect "no such file" 66 'data race'
once "no such file" '^deadheat: suppressions=nowhere cannot be read \(.*\): nothing is suppressed$'
run "suppressions=$work" ./race
expect "a directory" 66 'data race'
once "a directory" '^deadheat: suppressions=.* cannot be read'
head -c 100000 /dev/urandom >noise
run suppressions=noise ./race
expect "noise" 66 'data race'
once "noise" '^deadheat: noise:[0-9]+: '
finish
