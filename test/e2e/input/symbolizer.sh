#!/bin/sh
# A symbolizer that is not there, or not what it should be: the report comes without names, one line says
# why, and the program goes on.
. "$(dirname "$0")/lib.sh"

nameless() {
    expect "$1" 66 'data race' '#0 .*\(race\+0x[0-9a-f]+\)$' '!race\.c:' 'Write of size 4|Previous write of size 4'
    once "$1" '^deadheat: .*symboli[sz]er'
    ran "$1"
}
run external_symbolizer_path=/nowhere/llvm-symbolizer ./race
nameless "no symbolizer there"
run "external_symbolizer_path=$work" ./race
nameless "a directory for a symbolizer"

script() { printf '#!/bin/sh\n%s\n' "$2" >"$1" && chmod +x "$1"; }
script dies 'exit 3'
run "external_symbolizer_path=$work/dies" ./race
nameless "a symbolizer that ends at once"
script answers_nonsense 'while read -r line; do echo "{"; echo; done'
run "external_symbolizer_path=$work/answers_nonsense" ./race
nameless "a symbolizer that answers nonsense"
script dies_later 'read -r line; exit 1'
run "external_symbolizer_path=$work/dies_later" ./race
nameless "a symbolizer that dies over the first question"
script floods 'exec yes'
run "external_symbolizer_path=$work/floods" ./race
nameless "a symbolizer that does not stop talking"

run symbolize=0 ./race
expect "symbols not wanted" 66 '#0 .*\(race\+0x[0-9a-f]+\)$' '!race\.c:' '!symboli[sz]er'
ran "symbols not wanted"
run '' env -i DEADHEAT_OPTIONS= ./race
expect "an empty environment" 66 '#0 set .*race\.c:'
mkdir other && cd other || exit 1
run '' ../race
cd ..
mv other/out other/err .
expect "from another directory" 66 '#0 set .*race\.c:'
finish
