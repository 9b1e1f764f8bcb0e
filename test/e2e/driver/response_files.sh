#!/bin/sh
# @files are understood, and passed on as they are.
. "$(dirname "$0")/lib.sh"

echo '-c race.c' >compile
[ -z "$(link_line cc @compile)" ] || fail "-c in a response file is not seen"
check "-c in a file" deadheat cc @compile -o race.o
check_instrumented race.o
echo '-shared -fPIC' >shared
echo '@shared race.c' >nested
link_line cc @nested | grep -q 'libdeadheat\.a' && fail "-shared in a nested file is not seen"
check "nested" deadheat cc @nested -o librace.so

mkdir 'a b'
printf '%s' "int main(void) { return 0; }" >"a b/c\"d.c"
cat >quoted <<'END'
"a b/c\"d.c" -o 'out'put -DX=\'x\' '-DY="two words"'
   -Wall
END
check "quotes" deadheat cc @quoted
check_norace ./output

check "a name that is no file" sh -c 'cp norace.c @odd.c && deadheat cc -c @odd.c -o odd.o'
check "a pipe can be read once" sh -c 'echo "-c norace.c -o pipe.o" | deadheat cc @/dev/stdin'
[ -f pipe.o ] || fail "the pipe's arguments got lost"
echo '--detector=fasttrack -c norace.c' >ours
check "our options in a file" deadheat cc @ours -o ours.o
check_instrumented ours.o
echo '-shared-libdeadheat' >ours
link_line cc @ours race.c | grep -q 'libdeadheat\.so' || fail "our option in a file is not obeyed"
echo '-static' >static
check_fails "a refusal" 2 "'-static' is not supported" deadheat cc @static race.c

# More than the system takes as a command line.
echo 'int main(void) { return 0; }' >long.c
awk 'BEGIN { for (i = 0; i < 150000; i++) printf "-DNAME_%d_OF_A_MACRO=%d\n", i, i; print "long.c" }' >long
check "a long one" deadheat cc @long -fsyntax-only
finish
