#!/bin/sh
# What is not to be checked: functions and files by a list or by attributes, a file by an option.
. "$(dirname "$0")/lib.sh"

cat >two.c <<'END'
#include <pthread.h>
#ifndef ATTRIBUTE
#define ATTRIBUTE
#endif
long shared;
ATTRIBUTE __attribute__((noinline)) void increment(void) { shared++; }
static void *add(void *p) { increment(); return p; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
END
# built ARGS...: ./two, of two.c with these.
built() { check "two.c with $*" deadheat cc -O1 -pthread two.c -o two "$@"; }
built
check_race ./two
for attribute in 'no_sanitize("thread")' no_sanitize_thread disable_sanitizer_instrumentation; do
    built "-DATTRIBUTE=__attribute__(($attribute))"
    check_norace ./two
done

# list LINES: the special case list that clang knows.
list() { printf '%s\n' "$@" >list; }
list '[thread]' 'fun:incr*'
built -fsanitize-ignorelist=list
check_norace ./two
built -fsanitize-ignorelist=list -fno-sanitize-ignorelist
check_race ./two
built -fsanitize-blacklist=list -fsanitize=undefined
check_norace ./two
list 'src:*two.c'
built -fsanitize-ignorelist=list
check_norace ./two
list '[thread]' 'fun:other' '[address]' 'fun:increment'
built -fsanitize-ignorelist=list
check_race ./two
list '[thread]' 'fun:other'
printf '[thread]\nfun:increment\n' >more
built -fsanitize-ignorelist=list -fsanitize-ignorelist=more
check_norace ./two
deadheat cc -c two.c -fsanitize-ignorelist=nowhere >out 2>&1 && fail "a list that is not there is taken"
grep -q "nowhere" out || fail "a list that is not there has no name" "$(cat out)"

# A file of its own without checks, in a program with them.
sed '/^static void/,$d' two.c >part.c
sed 's/^ATTRIBUTE.*/void increment(void);/; s/^long shared;//' two.c >rest.c
for option in -fno-sanitize=thread -fno-sanitize=all -fno-sanitize=thread,undefined; do
    check "$option" deadheat cc -O1 $option -c part.c -o part.o
    nm part.o | grep -q __dh_ && fail "$option leaves checks" "$(nm part.o)"
    check "link with $option" deadheat cc -O1 -pthread $option rest.c part.o -o two
    check_norace ./two
done
check "the other part" deadheat cc -O1 -c part.c -o part.o
check "unchecked main" deadheat cc -O1 -pthread -fno-sanitize=thread -c rest.c -o rest.o
check "checked part" deadheat cc -pthread rest.o part.o -o two
check_race ./two
echo 'int has = __has_feature(thread_sanitizer);' >has.c
check "the feature" deadheat cc -E has.c
grep -q 'has = 1' out || fail "the feature is not there" "$(cat out)"
check "no feature" deadheat cc -E -fno-sanitize=thread has.c
grep -q 'has = 0' out || fail "the feature is there without checks" "$(cat out)"
finish
