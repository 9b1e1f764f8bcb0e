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
shown 'called_from_lib:race' # about calls of libc: see ../library/foreign.sh
shown 'thread:set'
shown '# race:set'
shown ''

# By the field of a struct.
sed 's/int shared;/struct pair { int first, second; } *pair = \&(struct pair){0};/; s/shared =/pair->second =/' race.c >field.c
deadheat cc -O1 -g -pthread field.c -o field || exit 1
echo 'race:^struct pair.second$' >list
run suppressions=list ./field
expect "a field suppresses" 0 '!WARNING' '; 1 suppressed \(1 occurrence\)$'
echo 'race:^struct pair.first$' >list
run suppressions=list ./field
expect "another field does not" 66 'WARNING: Deadheat: data race'

printf 'race:other\nrace:set\n' >list
run suppressions=list ./race
expect "counts by line" 0 '^deadheat: 1 suppressed by list:2: race:set$'

run suppressions=list:print_suppressions=0 ./race
expect "no counts by line" 0 '!suppressed by' '1 suppressed'

# What the program brings along.
cat >brings.c <<'END2'
char const *DEFAULT(void);
char const *DEFAULT(void) { return TEXT; }
END2
# brings NAME TEXT: builds ./brings with that function.
brings() {
    deadheat cc -O1 -pthread race.c brings.c "-DDEFAULT=$1" "-DTEXT=\"$2\"" -o brings || exit 1
}
for name in deadheat_default_suppressions __tsan_default_suppressions; do
    brings $name 'race:nothing\nrace:set'
    run '' ./brings
    expect "$name" 0 '!WARNING' "^deadheat: 1 suppressed by $name:2: race:set$"
    echo 'race:shared' >list
    run suppressions=list ./brings
    expect "the user's come before $name" 0 '^deadheat: 1 suppressed by list:1: race:shared$'
done
brings deadheat_default_suppressions 'race'
run '' ./brings
expect "built-in suppressions that do not parse" 66 'data race'
once "built-in suppressions that do not parse" '^deadheat: deadheat_default_suppressions:1: .*kind:pattern'

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
