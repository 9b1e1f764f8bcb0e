#!/bin/sh
# What cannot work is refused in one clear line, with status 2, and only where it matters.
. "$(dirname "$0")/lib.sh"

check_fails "no verb" 2 "no verb" deadheat
check_fails "unknown verb" 2 "unknown verb 'ccc'; did you mean 'cc'" deadheat ccc x.c
check_fails "strange verb" 2 "unknown verb 'sprint'; 'deadheat --help' lists" deadheat sprint
check_fails "unknown option" 2 "unknown option '--verison'; did you mean '--version'" deadheat --verison
check_fails "output that cannot be written" 2 "cannot write" sh -c 'deadheat --help >/dev/full'

check_fails "misspelt detector" 2 "unknown detector 'fastrack'; did you mean '--detector=fasttrack'" \
    deadheat cc --detector=fastrack race.c
check_fails "strange detector" 2 "unknown detector 'eraser'" deadheat cc --detector=eraser race.c
check_fails "detector without a name" 2 "did you mean '--detector=NAME'" deadheat cc --detector race.c
check_fails "misspelt option" 2 "did you mean '-shared-libdeadheat'" \
    deadheat cc -shared-libdeadheet race.c

for option in -static -static-pie --static; do
    check_fails "$option" 2 "'$option' is not supported: .*dynamically" deadheat cc $option race.c
done
check "-static where nothing is linked" deadheat cc -static -c race.c

check_fails "ThreadSanitizer" 2 "whose work deadheat does" deadheat cc -fsanitize=thread race.c
for sanitizer in address memory leak hwaddress; do
    check_fails "$sanitizer" 2 "'-fsanitize=$sanitizer' cannot be combined" \
        deadheat cc -fsanitize=undefined,$sanitizer -c race.c
done
for target in -m32 -mx32 --target=aarch64-linux-gnu --target=x86_64-linux-musl; do
    check_fails "$target" 2 "is not supported: deadheat is for x86-64 Linux" deadheat cc $target -c race.c
done
check "our own target by name" deadheat cc --target=x86_64-linux-gnu -target x86_64-pc-linux-gnu -c race.c
check "-m32 taken back" deadheat cc -m32 -m64 -c race.c

check_fails "no such clang" 2 "cannot run /nowhere/clang: No such file.*DEADHEAT_CLANG" \
    env DEADHEAT_CLANG=/nowhere/clang deadheat cc -c race.c
check_fails "a response file in a circle" 2 "'loop' includes itself" \
    sh -c 'echo @loop >loop; deadheat cc @loop'

# What is wrong with the program is clang's to say, with clang's status.
echo 'int main(void) { return nothing; }' >wrong.c
deadheat cc wrong.c -o wrong >out 2>&1
status=$?
[ $status -eq 1 ] || fail "an error in the program gives status $status"
grep -q 'wrong.c:1:25: error: use of undeclared identifier' out || fail "clang's message" "$(cat out)"
[ ! -e wrong ] || fail "something was left of a failed compilation"
finish
