#!/bin/sh
# Programs without debug information, without symbols, or whose file has gone since they were started: less
# in the report, but a report.
. "$(dirname "$0")/lib.sh"

deadheat cc -O1 -g0 -pthread race.c -o bare || exit 1
run '' ./bare
expect "without debug information" 66 '#0 set.*\(bare\+0x[0-9a-f]+\)$' "global 'shared' of size 4" '!race\.c:'
ran "without debug information"

cp race stripped && strip stripped || exit 1
run '' ./stripped
expect "stripped" 66 '#0 .*\(stripped\+0x[0-9a-f]+\)$' '!race\.c:' '!#0 set' 'Location is global data'
ran "stripped"

cp race debugless && strip -g debugless || exit 1
run '' ./debugless
expect "debug information stripped" 66 '#0 set.*\(debugless\+0x[0-9a-f]+\)$' '!race\.c:'

cp race split && objcopy --only-keep-debug split split.debug && strip -g split \
    && objcopy --add-gnu-debuglink=split.debug split || exit 1
run '' ./split
expect "debug information in a file of its own" 66 '#0 set .*race\.c:5:'

sed 's/int main(void) {/#include <unistd.h>\n&\n    unlink("gone");/' race.c >gone.c
deadheat cc -O1 -pthread gone.c -o gone || exit 1
run '' ./gone
expect "the program's file was removed" 66 'data race' '#0 .*\(gone.*\+0x[0-9a-f]+\)$'
ran "the program's file was removed"

sed 's/int main(void) {/#include <unistd.h>\n&\n    if (chdir("\/")) return 1;/' race.c >moves.c
deadheat cc -O1 -pthread moves.c -o moves || exit 1
run log_path=kept ./moves
expect "the program changes directory" 66 '#0 set .*moves\.c:'
[ -n "$(find . -name 'kept.*')" ] || fail "a relative log_path follows the program's change of directory"
rm -f /kept.*

deadheat cc -O1 -pthread -gz race.c -o compressed || exit 1
run '' ./compressed
expect "compressed debug information" 66 '#0 set .*race\.c:5:'
deadheat cc -O1 -pthread -gdwarf-4 -gsplit-dwarf race.c -o dwo || exit 1
run '' ./dwo
expect "debug information in .dwo files" 66 '#0 set .*race\.c:5:'
finish
